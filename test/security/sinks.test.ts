// Covers: .oxlintrc.json
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { ROOT } from '../support/paths';

/** A way for each sink by which a text would act instead of being shown, beside the helper of that sink. */
const WAYS: Readonly<Record<string, string>> = {
  notification: 'window.showWarningMessage(text);',
  question: 'window.showQuickPick([text]);',
  status: 'window.setStatusBarMessage(text);',
  progress: 'window.withProgress(text);',
  channel: "window.createOutputChannel('x');",
  'test output': 'run.appendOutput(text);',
  terminal: "window.createTerminal('x');",
  'terminal line': 'terminal.sendText(text);',
  hover: "import { Hover } from 'vscode';",
  markdown: "import { MarkdownString } from 'vscode';",
  'page of a webview': 'element.innerHTML = text;',
  'page of a webview, whole': 'element.outerHTML = text;',
  'page of a webview, inserted': "element.insertAdjacentHTML('beforeend', text);",
  'output of a program': 'process.stdout.write(text);',
  'errors of a program': 'process.stderr.write(text);',
  'console of a program': 'console.log(text);',
  'command line': "import { exec } from 'node:child_process';",
  code: 'eval(text);',
  'code as a function': 'new Function(text);',
};

describe('texts of others', () => {
  it('reach no sink except through its helper: a lint rule refuses each other way', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sideload-sinks-'));
    try {
      await mkdir(join(folder, 'src', 'editor'), { recursive: true });
      const config = await readFile(join(ROOT, '.oxlintrc.json'), 'utf8');
      // Without types, for which the files would need a project.
      await writeFile(join(folder, '.oxlintrc.json'), config.replace(/^ *"(?:options|\$schema)":.*$/gm, ''));
      const names = Object.keys(WAYS);
      for (const [at, way] of Object.values(WAYS).entries()) {
        await writeFile(join(folder, 'src', 'editor', `way${at}.ts`), `${way}\nexport {};\n`);
      }
      const oxlint = join(ROOT, 'node_modules', 'oxlint', 'bin', 'oxlint');
      const run = promisify(execFile)(process.execPath, [oxlint, '--format', 'unix', 'src'], { cwd: folder });
      const { stdout } = await run.catch((error: unknown) => error as { stdout: string });
      const refused = names.filter((_, at) =>
        stdout
          .split('\n')
          .some((line) => line.includes(`way${at}.ts:`) && /restricted|console|eval|Function|func/i.test(line)),
      );
      assert.deepEqual(
        names.filter((name) => !refused.includes(name)),
        [],
        stdout,
      );
    } finally {
      await rm(folder, { recursive: true });
    }
  }).timeout(20_000);
});
