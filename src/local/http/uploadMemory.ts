/** The memory of a kind of content, which all running uploads share. */
export class UploadMemory {
  #held = 0;

  /** `limits`: the bytes that one upload may hold, and all running uploads together. */
  constructor(private readonly limits: { upload: number; all: number }) {}

  /** The share of one upload, which has to be released at its end. */
  share(): MemoryShare {
    let held = 0;
    const change = (bytes: number): void => {
      held += bytes;
      this.#held += bytes;
    };
    return {
      take: (bytes) => {
        const fits = held + bytes <= this.limits.upload && this.#held + bytes <= this.limits.all;
        if (fits) change(bytes);
        return fits;
      },
      give: (bytes) => change(-bytes),
      release: () => change(-held),
    };
  }
}

/** What one upload holds in memory. */
export interface MemoryShare {
  /** Counts bytes that are going to be held; false, without counting them, when a limit would be exceeded. */
  take: (bytes: number) => boolean;
  /** Bytes that are not held any more. */
  give: (bytes: number) => void;
  /** Gives everything back. */
  release: () => void;
}
