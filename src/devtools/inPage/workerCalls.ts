import type { ExtensionApi } from './chromeApi';

declare const self: {
  chrome?: Partial<ExtensionApi>;
  serviceWorker: { state: string; addEventListener(event: 'statechange', listener: () => void): void };
};

/** The state of a worker, when it is decided. */
export type DecidedState = 'activated' | 'apiRefused' | 'redundant';

/**
 * In a worker: its `ServiceWorker.state` as soon as that is decided, or `apiRefused` when it is activated but Chromium rejects its calls of the
 * extension API with "No SW" for `limitMs` milliseconds (C-PROCESS-NO-SW). Any other error is the extension's own, which may have replaced the
 * function.
 */
export function decidedState(limitMs: number): Promise<DecidedState> {
  return new Promise((resolve) => {
    const { serviceWorker } = self;
    const end = Date.now() + limitMs;
    const own = {
      async call(this: void): Promise<void> {
        try {
          await self.chrome?.runtime?.getPlatformInfo?.();
        } catch (error) {
          if ((error as Error | undefined)?.message === 'No SW') {
            if (Date.now() < end) setTimeout(own.call, 5);
            else resolve('apiRefused');
            return;
          }
        }
        resolve('activated');
      },
      look(this: void): void {
        if (serviceWorker.state === 'activated') void own.call();
        else if (serviceWorker.state === 'redundant') resolve('redundant');
      },
    };
    serviceWorker.addEventListener('statechange', own.look);
    own.look();
  });
}

/** In a worker: which of these events of `chrome.tabs` it listens to. */
export function listensTo(events: readonly ('onCreated' | 'onUpdated' | 'onRemoved')[]): boolean[] {
  return events.map((event) => self.chrome?.tabs?.[event]?.hasListeners() === true);
}
