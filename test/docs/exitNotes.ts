import type { EXIT } from '../../src/agents/exitCodes';

/** What the exit codes of the program mean, by their names. */
export const EXIT_NOTES: Readonly<Record<keyof typeof EXIT, string>> = {
  running:
    'The browser runs this build; for `check`: Chromium would load it, whatever hints there are; for `test`: all passed; for `pack`: the package was written; for `doctor`: all parts work',
  refused:
    'The check or Chromium refused it; for `test`: one failed; for `pack`: nothing was written; for `doctor`: a part is broken',
  workerFailed: 'Its service worker failed, or other code runs',
  serviceFailed:
    'The service or the browser failed, or the address or the token of the service is not usable; for `test --update-from`: the test could not go on, and a sentence says at which step',
  delivered:
    'Delivered, and not verified: DevTools of the browser cannot be reached, or the service gives no address of it; for `test`: another build was pushed meanwhile',
  usage: 'A mistake on the command line',
};
