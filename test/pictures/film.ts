import { performance } from 'node:perf_hooks';
import sharp from 'sharp';
import type { Workbench } from '../workbench/workbench';

/** Most bytes of a moving picture: a page shows four of them. */
const MOST_BYTES = 3 * 1024 * 1024;

/** Of 100; texts stay sharp. */
const QUALITY = 82;

/** Shortest time of a frame, in milliseconds: viewers draw shorter ones as slowly as they like. */
const LEAST_MS = 40;

/** A picture and how long it is shown, in milliseconds. */
interface Frame {
  png: Buffer;
  ms: number;
}

/** A moving picture of a window: its screenshots one after the other. */
export class Film {
  readonly #frames: Frame[] = [];

  constructor(private readonly workbench: Workbench) {}

  /** Shows the window as it is now, for so many milliseconds. */
  async hold(ms: number): Promise<void> {
    this.#add(await this.#shot(), ms);
  }

  /** Shows the window in real time until something is done. */
  async during<T>(done: Promise<T>): Promise<T> {
    let isDone = false;
    const settled = done.finally(() => {
      isDone = true;
    });
    // It is awaited below.
    settled.catch(() => undefined);
    while (!isDone) {
      const start = performance.now();
      const png = await this.#shot();
      this.#add(png, performance.now() - start);
    }
    return await settled;
  }

  /** Types a text into what has the focus, a few letters at a time, as a person does. */
  async type(text: string, letters = 2): Promise<void> {
    for (let at = 0; at < text.length; at += letters) {
      await this.workbench.page.keyboard.type(text.slice(at, at + letters));
      await this.hold(120);
    }
  }

  /** Writes it as an animated WebP, which begins again for ever. @throws Error when it is too large */
  async write(file: string): Promise<void> {
    const frames = this.#frames.map(({ png }) => png);
    const delay = this.#frames.map(({ ms }) => Math.max(LEAST_MS, Math.round(ms)));
    const { size } = await sharp(frames, { join: { animated: true } })
      .webp({ quality: QUALITY, effort: 5, smartSubsample: true, loop: 0, delay })
      .toFile(file);
    console.log(`${file}: ${frames.length} pictures, ${Math.round(size / 1024)} KiB`);
    if (size > MOST_BYTES) throw new Error(`${file} has ${size} bytes, more than ${MOST_BYTES}.`);
  }

  #shot(): Promise<Buffer> {
    return this.workbench.page.screenshot();
  }

  /** A picture that is equal to the last one is shown as that, for longer. */
  #add(png: Buffer, ms: number): void {
    const last = this.#frames.at(-1);
    if (last?.png.equals(png)) last.ms += ms;
    else this.#frames.push({ png, ms });
  }
}
