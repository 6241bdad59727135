import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { planRelease, refuseOtherPackages, writeChanges } from '../../release/plan';
import { Repository } from '../../release/repository';
import { isPreRelease, ReleaseError } from '../../release/versions';

const PACKAGE = '{\n  "name": "sideload",\n  "version": "0.9.0",\n  "engines": { "version": "0.9.0" }\n}\n';
const LOCK = JSON.stringify(
  { version: '0.9.0', packages: { '': { version: '0.9.0' }, 'node_modules/ws': { version: '0.9.0' } } },
  null,
  2,
);
const CHANGELOG =
  '# Changelog\n\n## [Unreleased]\n\n### Added\n\n- A thing.\n\n## [0.9.0] - 2026-01-01\n\n- The first.\n';

describe('the plan of a release', () => {
  let root = '';
  const git = (...args: string[]): string => {
    const identity = ['-c', 'user.name=A', '-c', 'user.email=a@example.com'];
    return execFileSync('git', ['-C', root, ...identity, ...args], {
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    });
  };
  const write = (name: string, text: string): void => writeFileSync(join(root, name), text);
  const plan = (version: string) => planRelease(new Repository(root), version, '2026-11-26');

  before(() => {
    root = mkdtempSync(join(tmpdir(), 'sideload-release-'));
    git('init', '--quiet');
    write('package.json', PACKAGE);
    write('package-lock.json', LOCK);
    write('CHANGELOG.md', CHANGELOG);
    git('add', '--all');
    git('commit', '--quiet', '--message', 'First');
    git('tag', 'v0.9.0');
    git('tag', 'v0.11.3');
    git('tag', 'vscode');
  });
  after(() => rmSync(root, { recursive: true }));

  it('has the version where it stands, and a section of the changelog with what was unreleased', async () => {
    const changes = await plan('1.0.0');
    assert.equal(changes.get('package.json'), PACKAGE.replace('0.9.0', '1.0.0'));
    assert.deepEqual(JSON.parse(changes.get('package-lock.json') ?? ''), {
      version: '1.0.0',
      packages: { '': { version: '1.0.0' }, 'node_modules/ws': { version: '0.9.0' } },
    });
    assert.equal(
      changes.get('CHANGELOG.md'),
      CHANGELOG.replace('## [Unreleased]', '## [Unreleased]\n\n## [1.0.0] - 2026-11-26'),
    );
    assert.equal(git('status', '--porcelain'), '', 'it has written');
  });

  for (const [version, sentence] of [
    ['1.0', '"1.0" is no version.'],
    ['v1.0.0', '"v1.0.0" is no version.'],
    ['1.0.0-beta.1', '"1.0.0-beta.1" is no version.'],
    ['01.0.0', '"01.0.0" is no version.'],
    ['0.9.0', 'The tag v0.9.0 exists already.'],
    ['0.8.9', '0.8.9 is not higher than 0.9.0,'],
    // A tag is there, without a version in package.json.
    ['0.11.2', '0.11.2 is not higher than 0.11.3,'],
  ] as const) {
    it(`refuses ${version}: ${sentence}`, async () => {
      await assert.rejects(
        plan(version),
        (error) => error instanceof ReleaseError && error.message.startsWith(sentence),
      );
    });
  }

  it('refuses a tree with changes, and an empty Unreleased', async () => {
    write('new.txt', '');
    await assert.rejects(plan('1.0.0'), /^ReleaseError: The work tree has changes\./);
    rmSync(join(root, 'new.txt'));
    await writeChanges(await plan('1.0.0'), root);
    git('commit', '--quiet', '--all', '--message', 'Second');
    await assert.rejects(plan('1.1.0'), /^ReleaseError: CHANGELOG\.md has nothing under Unreleased\./);
  });

  it('refuses packages that are not those of the lock file', async () => {
    const path = join(root, 'node_modules');
    await assert.rejects(refuseOtherPackages(root), /Run npm ci first/);
    mkdirSync(path);
    const installed = (version: string): void =>
      writeFileSync(join(path, '.package-lock.json'), JSON.stringify({ packages: { 'node_modules/ws': { version } } }));
    installed('0.9.0');
    await refuseOtherPackages(root);
    installed('0.9.1');
    await assert.rejects(refuseOtherPackages(root), /Run npm ci first/);
    assert.ok(readFileSync(join(root, 'package-lock.json'), 'utf8').includes('0.9.0'));
  });

  it('takes odd second numbers for pre-releases', () => {
    assert.deepEqual(['0.9.0', '0.10.0', '1.0.5', '1.1.0'].map(isPreRelease), [true, false, false, true]);
  });
});
