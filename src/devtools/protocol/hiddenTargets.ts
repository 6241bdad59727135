import { EventEmitter } from 'node:events';
import type { Connection } from './connect';

/** Emits the id of each hidden page that this process opens in any browser. */
const opened = new EventEmitter<{ opened: [targetId: string] }>().setMaxListeners(0);

/** How many are being opened now. */
let opening = 0;

/**
 * Opens a page that is in no window, and resolves to the id of its target. When it is opened, it looks to other DevTools clients like the
 * popup of an extension: those of this process learn here that it is none.
 */
export async function openHiddenTarget(connection: Pick<Connection, 'send'>, url: string): Promise<string> {
  opening += 1;
  try {
    const { targetId } = await connection.send('Target.createTarget', { url, hidden: true });
    opened.emit('opened', targetId);
    return targetId;
  } finally {
    opening -= 1;
    if (opening === 0) opened.emit('opened', '');
  }
}

/** Whether a hidden page is being opened, whose id is not known yet. */
export function isOpeningHidden(): boolean {
  return opening > 0;
}

/** Calls `listener` with the id of each hidden page, and with '' once none is being opened; the returned function takes that back. */
export function onHiddenTarget(listener: (targetId: string) => void): () => void {
  opened.on('opened', listener);
  return () => {
    opened.off('opened', listener);
  };
}
