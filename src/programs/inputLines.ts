import { Transform } from 'node:stream';
import { EventLoop } from '../base/eventLoop';

const LINE_END = 0x0a;

/**
 * Passes lines of at most `limit` bytes on as they come, and calls `onLonger` once for each longer one, which is left out. Many lines at once do
 * not hold the process.
 */
export function linesBelow(limit: number, onLonger: () => void): Transform {
  /** The begin of a line that has not ended. */
  let begun: Buffer[] = [];
  let bytes = 0;
  let isLonger = false;
  const drop = (): void => {
    begun = [];
    bytes = 0;
    isLonger = true;
    onLonger();
  };
  const loop = new EventLoop();
  /** What reads a line takes it as it is pushed. */
  const pass = async (chunk: Buffer, lines: Transform): Promise<void> => {
    let start = 0;
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      const line = chunk.subarray(start, end + 1);
      start = end + 1;
      if (!isLonger && bytes + line.length > limit) drop();
      if (!isLonger) lines.push(begun.length === 0 ? line : Buffer.concat([...begun, line]));
      begun = [];
      bytes = 0;
      isLonger = false;
      await loop.yield();
    }
    const rest = chunk.subarray(start);
    if (!isLonger && rest.length > 0) {
      begun.push(rest);
      bytes += rest.length;
      if (bytes > limit) drop();
    }
  };
  return new Transform({
    transform(chunk: Buffer, _encoding, done) {
      pass(chunk, this).then(() => done(), done);
    },
  });
}
