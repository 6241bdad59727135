// Covers: src/bridge, src/editor/localhost, src/push/turns, src/push/prepare
import assert from 'node:assert/strict';
import { basename, join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DEVELOPMENT_TOOLS } from '../machine/developmentProject';
import { dose, isFullRun } from '../runner/seed';
import { eventually } from '../support/eventually';
import { connectionsTo, DevelopmentStage, SEEN_LIMIT_MS, type OpenedPage } from './developmentStage';
import { hasHeard, hearMessages } from './heardMessages';

/** How often each thing is done. */
const STARTS = dose(2, 20);
const EDITS = dose(3, 125);
const BUILT_EDITS = dose(2, 20);
const RELOADS = dose(2, 17);
const RESTARTS = dose(1, 5);
const LOSSES = dose(1, 5);

/** How long it is watched whether old code starts once more, in milliseconds. */
const WATCHED_MS = 500;

/** Pause between two restarts of the server, in milliseconds: without it, the reloads of the page count as a storm. */
const LOAD_PAUSE_MS = 2000;

/** How long a page may take to come back by itself when the server does, in milliseconds. */
const RETURN_LIMIT_MS = 10_000;

/** How often a file is written until its server has seen it. */
const WRITES = 3;

/** How often a page is edited until it shows an edit, when it was opened just now. */
const CONNECT_ATTEMPTS = 6;

/** How long such a page may take to show an edit until it is edited again, in milliseconds. */
const CONNECT_LIMIT_MS = 3000;

/**
 * How often a tool may be at fault itself: give code that no browser can run, or lose an edit where builds are pushed and it reports failed ones.
 * Plasmo 0.90.5 also does the latter without Sideload, in a browser on the same machine: now and then a build of it fails, it builds all again and
 * reloads the extension, with which its page goes; or its code in the page gets an update and does not show it.
 */
const OWN_FAULTS = 3;

const LIMIT_MS = 15 * 60_000;

/** In the usual dose the smallest tool is fetched alone, since the others are large. */
const TOOLS = Object.entries(DEVELOPMENT_TOOLS).filter(([name]) => isFullRun() || name === 'vite');

for (const [name, tool] of TOOLS)
  describe(`a project of ${name} in a browser elsewhere`, function () {
    this.timeout(LIMIT_MS);
    let stage: DevelopmentStage;
    let page: OpenedPage | undefined;
    let label = 0;
    /** How often a tool had not taken notice of a file that was written. */
    let unseen = 0;
    let ownFaults = 0;

    before(async () => {
      stage = await DevelopmentStage.start(tool);
    });
    afterEach(function () {
      if (this.currentTest?.isFailed() === true) {
        console.log(`      ${new Date().toISOString()}, the server's last lines:\n${stage.project.lastLines}`);
      }
    });
    after(async () => {
      if (unseen > 0) console.log(`      written again, since the tool had not seen it: ${unseen} times`);
      if (ownFaults > 0) console.log(`      tried again after a fault of the tool itself: ${ownFaults} times`);
      await stage.end();
    });

    const isShown = (text: string): string => `document.getElementById('mark')?.textContent === '${text}'`;

    /** Builds an extension whose worker and content script report that they run. */
    async function buildReporting(): Promise<void> {
      await stage.project.runInWorker(stage.reporting('worker', 'first'));
      await stage.project.runInContent(stage.reporting('content', 'first'));
      await stage.restartServer();
    }

    if (tool.extension) {
      const { popup } = tool.extension;

      it(`runs in all its parts, ${STARTS} of ${STARTS} times`, async () => {
        await buildReporting();
        for (let start = 1; start <= STARTS; start += 1) {
          const from = stage.reports.length;
          await stage.push({ mustReload: true });
          const has = (part: string): boolean => stage.labelsOf(part, from).includes('first');
          await eventually(`the worker runs, time ${start}`, () => has('worker'), SEEN_LIMIT_MS);
          const [options, opened, app] = [
            await stage.open(tool.page),
            await stage.open(popup),
            await stage.openAddress(stage.appUrl),
          ];
          await stage.shows(options, isShown(stage.project.label));
          await stage.shows(opened, `document.getElementById('popup')?.textContent === 'popup'`);
          await eventually(`the content script runs, time ${start}`, () => has('content'), SEEN_LIMIT_MS);
          for (const one of [options, opened, app]) await stage.close(one);
        }
      });
    }

    /** Writes a file again, as a person would, that the tool has not seen after a time: watchers of files miss some that are written quickly. */
    async function untilSeen(text: string, isThere: () => Promise<boolean>): Promise<void> {
      for (let time = 1; time < WRITES && !(await isThere()) && !(await stage.project.hasSeen(text)); time += 1) {
        unseen += 1;
        await stage.project.writeAgain();
      }
    }

    /** Edits the page while it has a typed text, and waits until it shows that, `isPushed` also until that build is pushed, and still has the text. */
    async function editWithText(typed: string, { isPushed = false } = {}): Promise<void> {
      const edited = await connected();
      const { page: opened } = edited;
      const [pushed, failed] = [stage.pushed.length, stage.project.failedBuilds];
      let wasShown = false;
      try {
        await hearMessages(opened);
        await opened.evaluate(`document.getElementById('typed').value = '${typed}'`);
        await stage.project.edit();
        await untilShown();
        wasShown = true;
        if (isPushed) {
          await delay(WATCHED_MS);
          await stage.untilPushed();
        }
        const kept = await opened.evaluate(`document.getElementById('typed')?.value`);
        const reloads = stage.pushed.slice(-3).map(({ reload }) => reload);
        assert.equal(kept, typed, `the last pushes reloaded: ${reloads.join(', ')}`);
      } catch (error) {
        const isReloadedByPush = stage.pushed
          .slice(pushed)
          .some(({ reload, targetIds }) => /^(re)?load$/.test(reload) && targetIds.includes(edited.targetId));
        const isGone = !(await stage.isOpen(edited));
        const isIgnored = !isGone && !wasShown && (await hasHeard(opened, stage.project.label));
        const isOfTool = stage.project.failedBuilds > failed || isIgnored || (isGone && !isReloadedByPush);
        if (!isPushed || !tool.failed || !isOfTool || ownFaults === OWN_FAULTS) throw error;
        ownFaults += 1;
        if (!isGone) await stage.close(edited);
        await editWithText(typed, { isPushed });
      }
    }

    /** Waits until the page shows the last edit. */
    async function untilShown(): Promise<void> {
      const opened = await connected();
      const { label: wanted } = stage.project;
      await untilSeen(wanted, () => stage.showsWithin(opened, isShown(wanted), RETURN_LIMIT_MS));
      await stage.shows(opened, isShown(stage.project.label));
    }

    /** The page; if none is open, opens it and edits it until it shows an edit: a tool may tell nobody of one that comes before it is connected. */
    async function connected(): Promise<OpenedPage> {
      if (page && (await stage.isOpen(page))) return page;
      if (tool.extension && !stage.isPushed) await stage.push({ mustReload: true });
      page = await stage.open(tool.page);
      // Else it would load the first edit, and be taken for connected.
      await stage.shows(page, isShown(stage.project.label));
      for (let attempt = 1; attempt < CONNECT_ATTEMPTS; attempt += 1) {
        await stage.project.edit();
        if (await stage.showsWithin(page, isShown(stage.project.label), CONNECT_LIMIT_MS)) return page;
      }
      await stage.project.edit();
      await stage.shows(page, isShown(stage.project.label));
      return page;
    }

    it(`shows ${EDITS} of ${EDITS} edits of a page by hot updates, with its typed text`, async () => {
      for (let edit = 1; edit <= EDITS; edit += 1) await editWithText(`edit ${edit}`);
    });

    // The modules of a page of Plasmo are in a file of its build.
    if (name !== 'plasmo')
      it('has the files of the project as the sources of its modules, for the debugger', async () => {
        await editWithText('debugged');
        const sources = await stage.debuggedSources(await connected(), basename(tool.label));
        assert.deepEqual(sources, [pathToFileURL(join(stage.project.folder, tool.label)).href]);
      });

    it(`goes on after ${LOSSES} of ${LOSSES} lost connections, with its typed text`, async () => {
      for (let loss = 1; loss <= LOSSES; loss += 1) {
        await stage.loseConnection();
        await editWithText(`loss ${loss}`);
      }
    });

    it(`goes on after ${RESTARTS} of ${RESTARTS} restarts of the server`, async () => {
      let opened = 0;
      // Where the build has the code of the page, a server that returns brings nothing to one that is open.
      stage.pushBuilds();
      page = await connected();
      for (let restart = 1; restart <= RESTARTS; restart += 1) {
        await stage.restartServer();
        await stage.project.edit();
        // The tool's client loads the page again, before a server of WXT can give it all of its scripts, or the extension, with which its pages go.
        if (!(await stage.showsWithin(page, isShown(stage.project.label), RETURN_LIMIT_MS))) {
          opened += 1;
          if (await stage.project.hasBrokenScript()) {
            ownFaults += 1;
            assert.ok(ownFaults <= OWN_FAULTS, 'the tool gives broken code');
            await stage.restartServer();
          }
          if (await stage.isOpen(page)) await stage.close(page);
          page = await stage.open(tool.page);
        }
        await stage.shows(page, isShown(stage.project.label));
        await delay(LOAD_PAUSE_MS);
      }
      if (opened > 0) console.log(`      opened again by hand: ${opened} of ${RESTARTS}`);
    });

    if (tool.extension)
      for (const part of ['worker', 'content'] as const)
        it(`runs the new ${part} after each edit, and the old one never again, ${RELOADS} of ${RELOADS} times`, async () => {
          if (stage.reports.length === 0) {
            await buildReporting();
            await stage.push({ mustReload: true });
          }
          stage.pushBuilds();
          const before = stage.reports.length;
          const app = await stage.openAddress(stage.appUrl);
          await eventually('the old one runs', () => stage.labelsOf('content', before).length > 0, SEEN_LIMIT_MS);
          for (let edit = 1; edit <= RELOADS; edit += 1) {
            const next = `${part} ${(label += 1)}`;
            const statement = stage.reporting(part, next);
            const from = stage.reports.length;
            await (part === 'worker' ? stage.project.runInWorker(statement) : stage.project.runInContent(statement));
            const runs = (): boolean => stage.labelsOf(part, from).includes(next);
            await untilSeen(encodeURIComponent(next), () => stage.becomes(runs, RETURN_LIMIT_MS));
            await eventually(() => `${next} runs; ${JSON.stringify(stage.failures)}`, runs, SEEN_LIMIT_MS);
            await stage.untilPushed();
            await delay(WATCHED_MS);
            // A tool may reload a page once more for the edit before; what has run the new code never runs the old again.
            const all = stage.labelsOf(part, from);
            const ran = all.slice(all.indexOf(next));
            assert.deepEqual([...new Set(ran)], [next], `${all.join()} after ${next}`);
          }
          assert.deepEqual(stage.failures, []);
          await stage.close(app);
        });

    if (tool.extension)
      it(`shows ${BUILT_EDITS} of ${BUILT_EDITS} edits with the typed text where each build is pushed, too`, async () => {
        stage.pushBuilds();
        if (page && (await stage.isOpen(page))) await stage.close(page);
        const opened = await connected();
        await stage.untilPushed();
        await stage.shows(opened, isShown(stage.project.label));
        for (let edit = 1; edit <= BUILT_EDITS; edit += 1) {
          await editWithText(`build ${edit}`, { isPushed: true });
        }
        assert.deepEqual(stage.failures, []);
      });

    it('leaves no socket at the server when it ends', async () => {
      if (page && (await stage.isOpen(page))) await stage.close(page);
      if (!tool.extension) await eventually('no socket is left', () => stage.socketCount === 0, SEEN_LIMIT_MS);
      stage.stopBridges();
      assert.equal(stage.socketCount, 0);
      await eventually('no connection is left', () => connectionsTo(stage.project.port) === 0, SEEN_LIMIT_MS);
    });
  });
