// Covers: src/editor/push, src/editor/browsers, src/editor/targets, src/editor/folder, src/editor/lists, src/push
import assert from 'node:assert/strict';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Locator } from 'playwright-core';
import { COMMANDS } from '../../src/ids';
import { eventually } from '../support/eventually';
import { CACHE } from '../support/paths';
import { readLocalService } from '../support/localService';
import { witnessOf, type Witness } from '../workbench/observer';
import { BUTTONS, MESSAGES, STATUS_BAR } from '../workbench/phrases';
import { openBrowsers, pushBy, pushItem, readLog, whenStatus, type SeenPush } from '../workbench/pushing';
import { releaseOfSuite } from '../machine/releases';
// Its hooks remove what the window has left.
import '../workbench/sharedWindow';
import { paletteTitle } from '../workbench/titles';
import { Walk } from '../workbench/walk';
import { closeWindow, openWindow, type OpenWindow } from '../workbench/window';

/** The name that Sideload gives to a browser for the sample. */
const BROWSER = 'sideload-sample';

/** Browsers that were made elsewhere, in the sight of the window. */
const ELSEWHERE = 'someone-elses';

/** Longest time to open a window, and to close it, in milliseconds. */
const OPEN_LIMIT_MS = 5 * 60_000;
const CLOSE_LIMIT_MS = 60_000;

/** Longest time until a push is in the log, in milliseconds. */
const LOG_LIMIT_MS = 30_000;

/** Longest time in which nothing may happen, in milliseconds: several times the quiet time after a save and a push. */
const NOTHING_MS = 3000;

/** VS Code's own command. */
const TOGGLE_AUTO_SAVE = 'File: Toggle Auto Save';

describe('a day with an extension', () => {
  let shared: OpenWindow;

  // A window of its own: in another, a browser may have been chosen.
  const open = async (): Promise<void> => {
    shared = await openWindow('day', releaseOfSuite());
  };

  before(async function () {
    this.timeout(OPEN_LIMIT_MS);
    await open();
  });

  after(async function () {
    this.timeout(CLOSE_LIMIT_MS);
    await closeWindow(shared);
  });

  async function local(): Promise<{ baseUrl: string; token: string }> {
    const found = await readLocalService(shared.server.userDir);
    assert.ok(found, 'no local service is running');
    return found;
  }

  /** Acts on a browser as another client of the service. */
  async function service(method: 'POST' | 'DELETE', name: string): Promise<void> {
    const { baseUrl, token } = await local();
    const answer = await fetch(new URL(method === 'POST' ? 'browsers' : `browsers/${name}`, `${baseUrl}/`), {
      method,
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      ...(method === 'POST' ? { body: JSON.stringify({ name, headless: true, timeout_seconds: 600 }) } : {}),
    });
    assert.ok(answer.ok, `${method} ${name}: ${answer.status}`);
  }

  async function inBrowser<T>(name: string, look: (witness: Witness) => Promise<T> | T): Promise<T> {
    const found = await readLocalService(shared.server.userDir);
    assert.ok(found, 'no local service is running');
    const witness = await witnessOf(found, name);
    try {
      return await look(witness);
    } finally {
      await witness.close();
    }
  }

  async function save(line: string): Promise<void> {
    const { editors } = shared.workbench;
    await editors.open('background.js');
    await editors.appendLine(line);
    await editors.save();
  }

  const pushed = (act: () => Promise<unknown>): Promise<SeenPush> => pushBy(shared.workbench, act);

  async function logged(line: RegExp): Promise<void> {
    const isLogged = async (): Promise<boolean> => (await readLog(shared.workbench)).some((text) => line.test(text));
    await eventually(`a line of the log like ${line}`, isLogged, LOG_LIMIT_MS);
  }

  /** The browser of the extension has ended after a save, beside one that was made elsewhere. */
  async function endBrowser(): Promise<void> {
    const { workbench } = shared;
    await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
    await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOn);
    await service('POST', ELSEWHERE);
    await inBrowser(ELSEWHERE, (witness) => witness.openPage('data:text/html,<title>A form</title>'));
    await service('DELETE', BROWSER);
    await whenStatus(workbench, STATUS_BAR.noLongerRuns(BROWSER));
    await save('globalThis.dayBuild = 1;');
    await workbench.notification(STATUS_BAR.hasEnded(BROWSER));
  }

  /** The browser that was made elsewhere is chosen, and a save is pushed there for the first time. */
  async function pushElsewhere(): Promise<SeenPush> {
    const { workbench } = shared;
    const view = await openBrowsers(workbench);
    await view.waitForRow(ELSEWHERE);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseBrowsers));
    await workbench.quickInput.tick([ELSEWHERE]);
    await workbench.quickInput.closed();
    const push = await pushed(() => save('globalThis.dayBuild = 3;'));
    await whenStatus(workbench, STATUS_BAR.runningIn(ELSEWHERE));
    return push;
  }

  async function pushSaves(choice: string): Promise<void> {
    const { workbench } = shared;
    await workbench.runThatAsks(COMMANDS.setPushOnSave);
    await workbench.quickInput.pick(choice);
  }

  const walk = new Walk(
    {
      runs: {
        reach: async () => {
          const { succeeded, status } = await pushed(() =>
            shared.workbench.command(paletteTitle(COMMANDS.runExtension)),
          );
          assert.equal(succeeded, true, status);
        },
      },
      ended: { after: 'runs', reach: endBrowser },
      'started again': {
        after: 'ended',
        reach: async () => {
          const { succeeded, status } = await pushed(() => shared.workbench.press(BUTTONS.startAgain));
          assert.equal(succeeded, true, status);
        },
      },
      'runs elsewhere': { after: 'started again', reach: async () => void (await pushElsewhere()) },
      'without saves': {
        after: 'runs elsewhere',
        reach: async () => {
          await pushSaves('Off');
          await whenStatus(shared.workbench, STATUS_BAR.pushOnSaveIsOff);
        },
      },
    },
    async () => {
      await closeWindow(shared);
      await open();
    },
  );

  walk.it(
    'runs the extension by one act, in a browser that is named after it, without a question',
    ['window', 'runs'],
    async () => {
      const { workbench } = shared;
      const push = await pushed(() => workbench.command(paletteTitle(COMMANDS.runExtension)));
      assert.deepEqual(push.asked, []);
      assert.equal(push.succeeded, true, push.status);
      assert.match(push.status, STATUS_BAR.runningIn(BROWSER));
      const loaded = await inBrowser(BROWSER, (witness) => witness.extensions());
      assert.deepEqual(
        loaded.map(({ name, enabled }) => [name, enabled]),
        [['Sideload Sample', true]],
      );
      const { buttons } = await workbench.notification(STATUS_BAR.runningIn(BROWSER));
      assert.deepEqual(buttons, [BUTTONS.openPopup, BUTTONS.openPage]);
      await workbench.picture(join(CACHE, 'ui', 'first-success.png'));
      await workbench.press(BUTTONS.openPopup);
      await logged(/^The popup of Sideload Sample is open in sideload-sample$/);
    },
  );

  walk.it(
    'shows within two seconds that the extension was removed from the browser, and runs it again by a push',
    'runs',
    async () => {
      const { workbench } = shared;
      const [sample] = await inBrowser(BROWSER, (witness) => witness.extensions());
      const started = performance.now();
      await inBrowser(BROWSER, (witness) => witness.uninstall(sample?.id ?? ''));
      await whenStatus(workbench, STATUS_BAR.noLongerRuns(BROWSER));
      assert.ok(performance.now() - started < 4000, `${performance.now() - started} ms`);
      const push = await pushed(() => workbench.command(paletteTitle(COMMANDS.push)));
      assert.equal(push.succeeded, true, push.status);
    },
  );

  walk.it('never pushes on save to a browser that nobody chose', ['runs', 'ended'], async () => {
    const { workbench } = shared;
    await endBrowser();
    const { buttons } = await workbench.notification(STATUS_BAR.hasEnded(BROWSER));
    assert.deepEqual(buttons, [BUTTONS.startAgain, BUTTONS.chooseAnother]);
    await whenStatus(workbench, STATUS_BAR.hasEnded(BROWSER));
    await new Promise((settle) => setTimeout(settle, NOTHING_MS));
    await inBrowser(ELSEWHERE, async (witness) => {
      assert.deepEqual(await witness.extensions(), []);
      assert.ok(
        witness.pages().some((page) => page.startsWith('data:')),
        'the page of another was closed',
      );
    });
  });

  walk.it('starts the browser again by a button and pushes to it', ['ended', 'started again'], async () => {
    const { workbench } = shared;
    const push = await pushed(() => workbench.press(BUTTONS.startAgain));
    assert.equal(push.succeeded, true, push.status);
    assert.match(push.status, STATUS_BAR.runningIn(BROWSER));
    const [sample] = await inBrowser(BROWSER, (witness) => witness.extensions());
    assert.equal(await inBrowser(BROWSER, (witness) => witness.workerGlobal(sample?.id ?? '', 'dayBuild')), 1);
    const again = await pushed(() => save('globalThis.dayBuild = 2;'));
    assert.equal(again.succeeded, true, again.status);
  });

  walk.it(
    'pushes a save to a browser that was chosen, without a question, and its pages stay',
    ['started again', 'runs elsewhere'],
    async () => {
      const first = await pushElsewhere();
      assert.deepEqual(first.asked, []);
      await inBrowser(ELSEWHERE, async (witness) => {
        const [sample] = await witness.extensions();
        assert.equal(await witness.workerGlobal(sample?.id ?? '', 'dayBuild'), 3);
        assert.ok(witness.pages().some((page) => page.startsWith('data:')));
      });
      const next = await pushed(() => save('globalThis.dayBuild = 4;'));
      assert.deepEqual(next.asked, []);
      assert.equal(next.succeeded, true, next.status);
    },
  );

  walk.it('does not push what the editor saves by itself', 'runs elsewhere', async () => {
    const { workbench } = shared;
    await workbench.clearNotifications();
    await workbench.command(TOGGLE_AUTO_SAVE);
    try {
      const from = (await readLog(workbench)).length;
      await workbench.editors.open('background.js');
      await workbench.editors.appendLine('let half = 1;');
      await new Promise((settle) => setTimeout(settle, NOTHING_MS));
      assert.doesNotMatch((await readLog(workbench)).slice(from).join('\n'), /uploaded|Not pushed/);
    } finally {
      await workbench.command(TOGGLE_AUTO_SAVE);
    }
    assert.equal((await workbench.notifications()).filter(({ message }) => MESSAGES.pushing.test(message)).length, 0);
  });

  walk.it(
    'pushes each build of the extension folder that was chosen, also when another output appears',
    ['runs elsewhere', 'without saves'],
    async () => {
      const { workbench, folder } = shared;
      const output = join(folder, '.output', 'chrome-mv3');
      await build(output, 1);
      await build(join(folder, 'dist'), 1);
      try {
        await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
        await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
        await workbench.commandThatAsks(paletteTitle(COMMANDS.chooseFolder));
        await workbench.quickInput.tick(['.output/chrome-mv3']);
        await workbench.quickInput.closed();
        await workbench.command(paletteTitle(COMMANDS.togglePushOnSave));
        await whenStatus(workbench, STATUS_BAR.pushOnBuildIsOn);
        await build(output, 2);
        await logged(/Built 2 is running in/);
        await build(join(folder, '.output', 'chrome-mv3-dev'), 1);
        await build(output, 3);
        await logged(/Built 3 is running in/);
      } finally {
        for (const name of ['.output', 'dist']) await rm(join(folder, name), { recursive: true, force: true });
        await pushSaves('Off');
        await whenStatus(workbench, STATUS_BAR.pushOnSaveIsOff);
      }
      // The chosen folder is gone: nothing else is pushed in its place without a question.
      const push = await pushed(async () => {
        await workbench.commandThatAsks(paletteTitle(COMMANDS.push));
        await workbench.quickInput.pick('sample');
      });
      assert.equal(push.succeeded, true, push.status);
    },
  );

  walk.it(
    'asks for a build or another folder, and starts nothing, where there is no manifest',
    'without saves',
    async () => {
      const { workbench, folder } = shared;
      const manifest = join(folder, 'manifest.json');
      await workbench.clearNotifications();
      const from = (await readLog(workbench)).length;
      await rename(manifest, `${manifest}.away`);
      await writeFile(join(folder, 'package.json'), '{ "scripts": { "build": "node -e 0" } }');
      try {
        await workbench.command(paletteTitle(COMMANDS.runExtension));
        const { buttons } = await workbench.notification(MESSAGES.noManifest);
        assert.deepEqual(buttons, [BUTTONS.runBuild, BUTTONS.chooseFolder]);
        assert.doesNotMatch((await readLog(workbench)).slice(from).join('\n'), /started in|packed/);
      } finally {
        await rename(`${manifest}.away`, manifest);
        await rm(join(folder, 'package.json'));
        await workbench.clearNotifications();
      }
    },
  );

  walk.it('opens a page of the extension in its browser', 'without saves', async () => {
    const { workbench } = shared;
    const push = await pushed(() => workbench.command(paletteTitle(COMMANDS.runExtension)));
    assert.equal(push.succeeded, true, push.status);
    await workbench.commandThatAsks(paletteTitle(COMMANDS.openPage));
    await workbench.quickInput.pick('popup.html');
    await inBrowser(ELSEWHERE, async (witness) => {
      const isOpen = (): boolean => witness.pages().some((page) => page.endsWith('/popup.html'));
      await eventually(() => witness.pages(), isOpen, NOTHING_MS);
    });
  });

  walk.it('offers a menu by a click on the status bar', 'without saves', async () => {
    const { workbench } = shared;
    await pushItem(workbench).click();
    await workbench.quickInput.opened();
    const entries = (await workbench.quickInput.entries()).join('\n');
    for (const part of ['Push Extension', ELSEWHERE, 'Choose Extension Folder…', 'Open Page…', 'Show Log']) {
      assert.ok(entries.includes(part), `${part} is not in: ${entries}`);
    }
    await workbench.quickInput.cancel();
  });

  walk.it('ticks the steps of its walkthrough as they are done', 'without saves', async () => {
    const { workbench } = shared;
    const { page } = workbench;
    await workbench.commandThatAsks('Welcome: Open Walkthrough...');
    await workbench.quickInput.answer('Run Your Browser Extension');
    const box = (step: number): Locator => page.locator('.getting-started-step [role="checkbox"]').nth(step);
    const ticked = page.locator('[aria-checked="true"]');
    const acts = [
      () => workbench.command(paletteTitle(COMMANDS.togglePushOnSave)),
      () => page.locator('.part.statusbar [id="status.problems"] a').click(),
      () => workbench.command(paletteTitle(COMMANDS.openScroll)),
    ];
    // The first step was done before the walkthrough was open.
    await box(0).and(ticked).waitFor();
    for (const [at, act] of acts.entries()) {
      await box(at + 1).waitFor();
      // That of the Problems panel is done, too, when an earlier test has shown a mistake in a file.
      if (at !== 1) assert.equal(await box(at + 1).getAttribute('aria-checked'), 'false');
      await act();
      await box(at + 1)
        .and(ticked)
        .waitFor();
    }
  });
}).timeout(120_000);

/** Writes what a bundler would: an extension whose version is the number of the build. */
async function build(folder: string, number: number): Promise<void> {
  await mkdir(folder, { recursive: true });
  await writeFile(join(folder, 'background.js'), `globalThis.bundled = ${number};`);
  await writeFile(
    join(folder, 'manifest.json'),
    JSON.stringify({
      manifest_version: 3,
      name: 'Built',
      version: String(number),
      background: { service_worker: 'background.js' },
    }),
  );
}
