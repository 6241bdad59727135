import * as l10n from '@vscode/l10n';
import { COMMANDS } from '../../ids';
import type { BrowserWiring } from '../browsers/browserWiring';
import { withLinkOrGone } from '../browsers/readContents';
import { extensionsFor } from '../browsers/pushedExtensions';
import { UserError } from '../errorTexts';
import { browserLabel } from '../lists/labels';
import { showStatus } from '../notify';

/** Commands for the service worker of an extension. */
export class WorkerCommands {
  readonly handlers = {
    [COMMANDS.stopWorker]: (row: unknown) => this.#set(row, 'stopped'),
    [COMMANDS.wakeWorker]: (row: unknown) => this.#set(row, 'running'),
  };

  constructor(private readonly wiring: BrowserWiring) {}

  /** @throws UserError when a browser has no such worker, or it does not follow */
  async #set(row: unknown, wanted: 'stopped' | 'running'): Promise<void> {
    for (const { browser, id, name } of await extensionsFor(this.wiring, row)) {
      const label = browserLabel(browser);
      const end = await withLinkOrGone(this.wiring, browser, async (link) => {
        const workers = await link.workers();
        if (!workers) return 'unknown';
        if (!workers.stateOf(id)) return 'none';
        return (await (wanted === 'stopped' ? workers.stop(id) : workers.start(id))) ? 'done' : 'late';
      });
      switch (end) {
        case undefined:
          continue;
        case 'unknown':
          throw new UserError(
            l10n.t('{0} does not report its service workers over DevTools. Use another browser.', label),
          );
        case 'none':
          throw new UserError(
            l10n.t(
              'No service worker of {0} is registered in {1}. It has none, or its script has failed: the Problems panel shows the errors of pushed extensions.',
              name,
              label,
            ),
          );
        case 'late':
          throw new UserError(
            wanted === 'stopped'
              ? l10n.t('The service worker of {0} in {1} does not stop. Close its DevTools and try again.', name, label)
              : l10n.t(
                  'The service worker of {0} in {1} does not start. The Problems panel shows the errors of pushed extensions.',
                  name,
                  label,
                ),
          );
        case 'done':
          this.wiring.log.info(`Service worker of ${name} in ${label}: ${wanted}`);
          showStatus(
            wanted === 'stopped'
              ? l10n.t('The service worker of {0} is stopped in {1}', name, label)
              : l10n.t('The service worker of {0} is running in {1}', name, label),
          );
      }
    }
  }
}
