// Covers: .github, package.json
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { scripts, version } from '../../package.json';
import { suiteNames } from '../runner/suites';
import { fieldOf } from '../../src/base/fields';
import { ROOT } from '../support/paths';
import { pipelineFile, shellSteps } from '../support/pipelineFiles';

const WORKFLOWS = readdirSync(join(ROOT, '.github', 'workflows')).map((name) => `.github/workflows/${name}`);
const ACTION = '.github/actions/sideload/action.yml';

/** Bash is there on the machines that run these scripts. */
const describeShell = process.platform === 'win32' ? describe.skip : describe;

describeShell('the scripts of the pipelines', () => {
  for (const path of [...WORKFLOWS, ACTION]) {
    it(`can be read by bash, and name scripts and suites that exist: ${path}`, () => {
      const steps = shellSteps(pipelineFile(path));
      assert.ok(steps.length > 0);
      for (const { script } of steps) {
        // What GitHub puts in is no syntax of bash.
        const { stderr } = spawnSync('bash', ['-n'], {
          input: script.replaceAll(/\$\{\{.*?\}\}/g, 'x'),
          encoding: 'utf8',
        });
        assert.equal(stderr, '');
        // An expression within a script would be run as a part of it.
        if (path !== '.github/workflows/ci.yml') assert.doesNotMatch(script, /\$\{\{/);
        for (const [, name = ''] of script.matchAll(/npm run (?:--silent )?([\w:]+)/g))
          assert.ok(name in scripts, name);
        for (const [, names = ''] of script.matchAll(/npm test -- ((?:\w+ ?)+)/g)) {
          for (const name of names.trim().split(' ')) assert.ok(suiteNames().includes(name), name);
        }
      }
    });
  }
});

describe('the workflow of a release', () => {
  const text = readFileSync(join(ROOT, '.github', 'workflows', 'release.yml'), 'utf8');

  it('names its secrets at its beginning, as CONTRIBUTING.md does', () => {
    const used = [...text.matchAll(/secrets\.(\w+)/g)].map(([, name]) => name ?? '');
    const guide = readFileSync(join(ROOT, '.github', 'CONTRIBUTING.md'), 'utf8');
    assert.deepEqual(used, ['VSCE_PAT', 'OVSX_PAT', 'NPM_TOKEN']);
    for (const name of used) {
      assert.ok(text.split('\n').slice(0, 3).join('\n').includes(name), name);
      assert.ok(guide.includes(`\`${name}\``), name);
    }
  });

  it('gives no job more than reading, but those that say what for', () => {
    assert.deepEqual(pipelineFile('.github/workflows/release.yml')['permissions'], { contents: 'read' });
  });
});

describeShell('the steps of a release', () => {
  let folder = '';
  /** Runs the last step of a job with programs that only say how they were called. */
  function publish(job: string, tag: string): string[] {
    const step = shellSteps(fieldOf(fieldOf(pipelineFile('.github/workflows/release.yml'), 'jobs'), job)).at(-1);
    const calls = join(folder, 'calls');
    writeFileSync(calls, '');
    const PATH = `${join(folder, 'bin')}${delimiter}${process.env['PATH'] ?? ''}`;
    execFileSync('bash', ['-e', '-o', 'pipefail', '-c', step?.script ?? ''], {
      cwd: folder,
      env: { PATH, CALLS: calls, GITHUB_REF_NAME: tag, GITHUB_REPOSITORY: 'a/b', NPM_TOKEN: 'secret' },
      stdio: ['ignore', 'ignore', 'inherit'],
    });
    return readFileSync(calls, 'utf8').trimEnd().split('\n');
  }

  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'sideload-steps-'));
    mkdirSync(join(folder, 'release'));
    mkdirSync(join(folder, 'bin'));
    writeFileSync(join(folder, 'release', 'a'), 'text');
    const sum = createHash('sha256').update('text').digest('hex');
    writeFileSync(join(folder, 'release', 'SHA256SUMS'), `${sum}  a\n`);
    for (const name of ['npm', 'npx', 'gh']) {
      const path = join(folder, 'bin', name);
      writeFileSync(
        path,
        `#!/bin/sh\nif [ "$2" = get ]; then echo https://registry.example/; fi\necho ${name} "$@" >> "$CALLS"\n`,
      );
      chmodSync(path, 0o755);
    }
  });
  after(() => rmSync(folder, { recursive: true }));

  it('publish a release and a pre-release, each as what it is', () => {
    assert.deepEqual(publish('npm', 'v1.2.0'), [
      'npm config get registry',
      'npm config set //registry.example/:_authToken=secret',
      'npm publish ./release/sideload-1.2.0.tgz --provenance --access public --tag latest',
    ]);
    assert.match(publish('npm', 'v0.9.0').at(-1) ?? '', /sideload-0\.9\.0\.tgz .* --tag next$/);
    assert.match(
      publish('github', 'v1.10.3').join(''),
      /^gh release create v1\.10\.3 release\/SHA256SUMS release\/a .* --latest$/,
    );
    assert.match(publish('github', 'v1.11.3').join(''), / --prerelease$/);
    assert.match(
      publish('marketplace', 'v1.2.0').join(''),
      /^npx .*vsce@[\d.]+ publish --packagePath release\/sideload-1\.2\.0\.vsix /,
    );
    assert.match(publish('open-vsx', 'v1.2.0').join(''), /^npx .*ovsx@[\d.]+ publish release\/sideload-1\.2\.0\.vsix /);
  });

  it('publish nothing when a file is not the one that was built', () => {
    writeFileSync(join(folder, 'release', 'a'), 'other');
    for (const job of ['npm', 'github', 'marketplace', 'open-vsx']) {
      assert.throws(() => publish(job, 'v1.2.0'), job);
      assert.equal(readFileSync(join(folder, 'calls'), 'utf8'), '');
    }
  });

  it('refuse a tag that is not the version', () => {
    const [step] = shellSteps(pipelineFile('.github/workflows/release.yml')).filter(({ name }) =>
      name.startsWith('The tag'),
    );
    const status = (tag: string): number | null =>
      spawnSync('bash', ['-c', step?.script ?? ''], { cwd: ROOT, env: { ...process.env, GITHUB_REF_NAME: tag } })
        .status;
    assert.deepEqual([status(`v${version}`), status('v0.0.1')], [0, 1]);
  });
});
