import { whileAttached } from '../devtools/protocol/attach';
import type { Connection, Protocol } from '../devtools/protocol/connect';
import { type Allowed, type Asker, isOwn, isOwnFrame } from './askers';

/** How long a page may take to list its frames, in milliseconds. */
const FRAMES_LIMIT_MS = 2000;

/** Whether a page that may ask has a frame in its own process. Only such pages are asked, so that no other learns anything. */
export async function isFrameOfOwn(
  connection: Connection,
  targets: readonly (Asker & { targetId: string })[],
  frameId: string,
  allowed: Allowed,
): Promise<boolean> {
  const pages = targets.filter(({ type, url }) => /page|iframe/.test(type) && isOwn(url, allowed));
  const found = await Promise.all(
    pages.map(({ targetId }) =>
      whileAttached(connection, targetId, async (session) => {
        const { frameTree } = await session.send('Page.getFrameTree', undefined, { timeout: FRAMES_LIMIT_MS });
        return hasFrame(frameTree, frameId, allowed);
      }).catch(() => false),
    ),
  );
  return found.includes(true);
}

function hasFrame({ frame, childFrames = [] }: Protocol.Page.FrameTree, frameId: string, allowed: Allowed): boolean {
  if (!isOwnFrame(frame, allowed)) return false;
  return frame.id === frameId || childFrames.some((child) => hasFrame(child, frameId, allowed));
}
