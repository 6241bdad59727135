import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { runSmokeTests } from '../../src/programs/headless/smokeTests';
import { PushStage } from './pushStage';
import { runProgram } from './shippedPrograms';
import { ToolStage } from './toolStage';

/** An extension with five faults, each on the line that says so. */
const FILES = {
  'manifest.json': `{
  "manifest_version": 3,
  "name": "Faulty",
  "version": "1.0.x",
  "background": { "service_worker": "worker.js" },
  "action": { "default_popup": "popup.html" },
  "options_ui": { "page": "options.html" },
  "content_scripts": [{ "matches": ["https://example.com/*"], "js": ["content.js"] }],
  "permissions": ["storage"]
}
`,
  'worker.js': '// The worker.\nconst settings = undefined;\nsettings.load(); // FAULT\n',
  'popup.html': '<!doctype html><meta charset="utf-8"><script src="popup.js"></script>\n',
  'popup.js': "document.title = 'Popup';\n\ndocument.querySelector('#missing').focus(); // FAULT\n",
  'options.html': '<!doctype html><meta charset="utf-8"><script type="module" src="options.js"></script>\n',
  'options.js':
    "const value = 'x'.repeat(10_000);\nchrome.storage.sync.set({ value }).catch((error) => console.error(error.message)); // FAULT\n",
  'content.js': "const main = document.querySelector('main');\nmain.firstElementChild.remove(); // FAULT\n",
};

/** How each fault is mended. */
const EDITS: Readonly<Record<string, readonly [from: string, to: string]>> = {
  'manifest.json:4': ['"1.0.x"', '"1.0.1"'],
  'worker.js:3': ['settings.load(); // FAULT', ''],
  'popup.js:3': ["document.querySelector('#missing').focus(); // FAULT", ''],
  'options.js:2': ['storage.sync', 'storage.local'],
  'content.js:2': ['main.firstElementChild.remove(); // FAULT', 'main?.firstElementChild?.remove();'],
};

/** The first place of an error in an answer. */
function placeIn(text: string): string {
  const [, file = '', line = ''] = /^([\w./-]+):(\d+):\d+ error /m.exec(text) ?? [];
  return `${file}:${line}`;
}

describe('a scripted agent', function () {
  this.timeout(90_000);
  const stage = PushStage.forSuite();

  beforeEach(async () => {
    for (const [name, text] of Object.entries(FILES)) await stage().write(name, text);
  });

  it('gets from answers alone to the file and line of five faults, and ends with every smoke test passed', async () => {
    const at = stage();
    const tools = new ToolStage(at);
    let [calls, bytes] = [0, 0];
    const call = async (
      ...[name, input]: Parameters<ToolStage['call']>
    ): Promise<{ isError: boolean; text: string }> => {
      const answer = await tools.call(name, input);
      calls += 1;
      bytes += Buffer.byteLength(answer.text);
      return answer;
    };
    const mended: string[] = [];
    /** Applies the edit for the fault whose file and line are in an answer. */
    const mend = async (text: string): Promise<void> => {
      const place = placeIn(text);
      const [from, to] = EDITS[place] ?? assert.fail(`no fault is at ${place}:\n${text}`);
      const [file = ''] = place.split(':');
      const before = await readFile(join(at.folder, file), 'utf8');
      assert.ok(before.includes(from), place);
      await writeFile(join(at.folder, file), before.replace(from, to));
      mended.push(place);
    };
    /** Pushes until it runs. */
    const push = async (): Promise<void> => {
      for (;;) {
        const { isError, text } = await call('push_extension');
        if (!isError) return;
        await mend(text);
      }
    };
    await push();
    for (const input of [{ surface: 'popup' }, { surface: 'options' }, { surface: 'web_page' }]) {
      const { text } = await call('open_extension_surface', input);
      await mend(text);
      await push();
    }
    assert.deepEqual(mended.sort(), Object.keys(EDITS).sort());
    const { results } = await runSmokeTests(
      tools.window,
      { folder: at.folder, root: at.folder, browser: at.browser },
      new AbortController().signal,
    );
    const states = Object.fromEntries(results.map(({ id, state }) => [id, state]));
    const expected = { loads: 'passed', worker: 'passed', alone: 'passed', wakes: 'passed', popup: 'passed' };
    assert.deepEqual(states, {
      ...expected,
      options: 'passed',
      sidePanel: 'skipped',
      content: 'passed',
      quiet: 'passed',
    });
    console.log(`      ${calls} calls, ${bytes} bytes of answers`);
    assert.ok(calls <= 10 && bytes < 6000, `${calls} calls, ${bytes} bytes`);
    tools.dispose();
  });

  it('has the same tests in a pipeline, with a report', async () => {
    const { folder, service } = stage();
    const report = join(folder, '..', `${stage().browser.id}.xml`);
    const run = async (...more: string[]): ReturnType<typeof runProgram> =>
      await runProgram(
        'cli',
        ['test', folder, '--service', service.baseUrl, '--headless', '--junit', report, ...more],
        {
          env: { SIDELOAD_TOKEN: service.token },
        },
      );
    const refused = await run();
    assert.equal(refused.code, 1, refused.stderr);
    assert.match(
      refused.stdout,
      /^failed Chromium loads it [^]*manifest\.json:4:\d+ error R-VERSION[^]*0 passed, 1 failed, 8 skipped\n$/,
    );
    assert.match(
      await readFile(report, 'utf8'),
      /<testsuites tests="9" failures="1" errors="0" skipped="8"[^]*<failure message="REFUSED by the check/,
    );
    for (const [place, [from, to]] of Object.entries(EDITS)) {
      const file = join(folder, place.split(':')[0] ?? '');
      await writeFile(file, (await readFile(file, 'utf8')).replace(from, to));
    }
    const passed = await run('--json');
    assert.equal(passed.code, 0, passed.stdout + passed.stderr);
    const lines = passed.stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { state: string });
    assert.deepEqual(
      lines.map(({ state }) => state).filter((state) => state !== 'passed'),
      ['skipped'],
    );
    assert.match(
      await readFile(report, 'utf8'),
      /<testsuite name="Faulty" tests="9" failures="0" errors="0" skipped="1"/,
    );
  });
});
