/** Chromium refused to load a folder; `chromium` is its own text. The extension that was loaded from there before keeps running (C-LOAD-REFUSED). */
export class LoadRefusedError extends Error {
  override readonly name = 'LoadRefusedError';

  constructor(readonly chromium: string) {
    super(`Chromium refused the extension: ${chromium}`);
  }
}
