import { ensureBrowser } from '../machine/browser';
import { ensureDisplayPrograms } from '../machine/displayPrograms';
import { RELEASES, type Release } from '../machine/releases';
import { ensureServerBuild } from '../machine/serverBuild';
import { Steps, type Report } from '../support/steps';
import { ensureEditorBuild } from '../machine/vscode';

/** What must be on this machine for a suite to run. */
export type Resource = 'browser' | 'display' | Release;

/** Installs what suites need, each resource once and all in parallel; suites that need none of them can run meanwhile. */
export class Resources {
  readonly #begun = new Map<Resource, Promise<unknown>>();
  readonly #steps: Steps;

  constructor(report: Report) {
    this.#steps = new Steps(report);
  }

  /** Resolves when a resource is installed. Rejects with a sentence when it cannot be installed. */
  get(resource: Resource): Promise<unknown> {
    const begun = this.#begun.get(resource) ?? this.#begin(resource);
    this.#begun.set(resource, begun);
    // The suites that need it handle the rejection.
    begun.catch(() => undefined);
    return begun;
  }

  async #begin(resource: Resource): Promise<void> {
    const { say } = this.#steps;
    switch (resource) {
      case 'browser':
        await this.#steps.step(
          'Browser',
          () => ensureBrowser(say),
          ({ path, version }) => `Browser: ${path} (${version})`,
        );
        return;
      case 'display':
        // After the browser: apt serves one caller at a time.
        await this.get('browser').catch(() => undefined);
        await ensureDisplayPrograms(say);
        return;
      case 'newest':
      case 'oldest':
        await this.#steps.step(`VS Code ${RELEASES[resource].version}`, () =>
          Promise.all([ensureServerBuild(say, resource), ensureEditorBuild(say, resource)]),
        );
        return;
    }
  }
}
