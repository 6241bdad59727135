import { randomBytes } from 'node:crypto';
import { readdir, rm, stat, utimes, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { realClock, repeat, type Clock } from '../../base/clock';
import { isRunning } from '../../base/runningProcess';
import { shortDigest } from '../folderName';
import { OWNER_ONLY, patiently } from './sharedFolder';

/** How often a waiting program polls, in milliseconds. */
const POLL_MS = 25;

/** How often a program shows that it still runs, and how long it may fail to before its ticket counts as left behind, in milliseconds. */
const BEAT_MS = 2000;
const SILENT_MS = 10_000;

/** `turn-` with the number, which orders tickets, the machine, the process and what makes it unique. */
const TICKET = /^turn-(\d{12})-([0-9a-f]+)-(\d+)-[0-9a-f]+$/;

/** Process ids mean nothing in another container that shares the folder. */
const MACHINE = shortDigest(hostname());

/** The right of one program to deliver to a browser. */
export interface Turn {
  /** Passes the turn on. Never rejects. */
  end: () => Promise<void>;
}

/** A ticket of another program: when its file was last touched, and since when that is known, by the clock. */
interface Beat {
  touched: number;
  since: number;
}

/**
 * Waits until no other program has the turn in `folder`, and takes it. Programs get it in the order in which they asked. A program that has
 * died or is silent for 10 s loses it. `onWait` is called once when there is another program to wait for. Rejects with the signal's reason,
 * or with an error of the disk.
 *
 * Each program has a file of a name of its own, so that removing one that was left behind removes no other. The lowest number has the turn.
 * A program whose file comes late with a low number finds one with a higher number, and takes a new number: that one may have the turn.
 *
 * The lock of the local service (`local/instance/lock.ts`) is no such queue: it says which process serves, to processes that do not wait. It
 * shares nothing with this one, because the local service imports no other room.
 */
export async function takeTurn(
  folder: string,
  onWait: () => void,
  signal?: AbortSignal,
  clock: Clock = realClock,
): Promise<Turn> {
  const ticket = await drawTicket(folder, signal, clock);
  const path = join(folder, ticket);
  const beating = repeat(clock, BEAT_MS, () => {
    const now = new Date();
    utimes(path, now, now).catch(() => undefined);
  });
  const end = async (): Promise<void> => {
    beating.clear();
    await patiently(() => rm(path, { force: true }), clock).catch(() => undefined);
  };
  try {
    const beats = new Map<string, Beat>();
    for (let polls = 0; ; polls++) {
      const [first] = (await tickets(folder)).filter((other) => other < ticket);
      if (first === undefined) return { end };
      if (await isLeftBehind(folder, first, beats, clock)) {
        await patiently(() => rm(join(folder, first), { force: true }), clock);
        continue;
      }
      if (polls === 0) onWait();
      await clock.delay(POLL_MS, { signal });
    }
  } catch (error) {
    await end();
    throw error;
  }
}

async function drawTicket(folder: string, signal: AbortSignal | undefined, clock: Clock): Promise<string> {
  for (;;) {
    signal?.throwIfAborted();
    const last = (await tickets(folder)).at(-1);
    const number = String(numberOf(last) + 1).padStart(12, '0');
    const ticket = `turn-${number}-${MACHINE}-${process.pid}-${randomBytes(6).toString('hex')}`;
    await writeFile(join(folder, ticket), '', { mode: OWNER_ONLY, flag: 'wx' });
    if ((await tickets(folder)).at(-1) === ticket) return ticket;
    await patiently(() => rm(join(folder, ticket), { force: true }), clock);
    await clock.delay(Math.random() * POLL_MS);
  }
}

/** In their order. */
async function tickets(folder: string): Promise<string[]> {
  return (await readdir(folder)).filter((name) => TICKET.test(name)).sort();
}

function numberOf(ticket: string | undefined): number {
  return ticket === undefined ? 0 : Number(TICKET.exec(ticket)?.[1] ?? 0);
}

/** Whether the program of a ticket has died, or has not touched its file for as long as this program watches it. */
async function isLeftBehind(folder: string, ticket: string, beats: Map<string, Beat>, clock: Clock): Promise<boolean> {
  const [, , machine, pid] = TICKET.exec(ticket) ?? [];
  if (machine === MACHINE && !isRunning(Number(pid))) return true;
  const touched = await stat(join(folder, ticket)).then(
    ({ mtimeMs }) => mtimeMs,
    () => 0,
  );
  const known = beats.get(ticket);
  if (known?.touched === touched) return clock.now() - known.since > SILENT_MS;
  beats.set(ticket, { touched, since: clock.now() });
  return false;
}
