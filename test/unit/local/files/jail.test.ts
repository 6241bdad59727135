import assert from 'node:assert/strict';
import path from 'node:path';
import { Jail } from '../../../../src/local/files/jail';

const ROOT = path.resolve('/data/files');

describe('the root folder of a session', () => {
  const jail = new Jail(ROOT);

  it('contains every absolute path', () => {
    assert.equal(jail.real('/tmp/a'), path.join(ROOT, 'tmp', 'a'));
    assert.equal(jail.real('/tmp//a/./b/'), path.join(ROOT, 'tmp', 'a', 'b'));
    assert.equal(jail.real('/'), ROOT);
  });

  it('cannot be left with dots', () => {
    assert.equal(jail.real('/../../etc/passwd'), path.join(ROOT, 'etc', 'passwd'));
    assert.equal(jail.real('/tmp/../../../x'), path.join(ROOT, 'x'));
  });

  it('refuses relative paths and null characters', () => {
    assert.throws(() => jail.real('tmp'), { status: 400 });
    assert.throws(() => jail.real(''), { status: 400 });
    assert.throws(() => jail.real('/a\0b'), { status: 400 });
  });

  it('cannot be changed itself', () => {
    for (const root of ['/', '//', '/tmp/..']) assert.throws(() => jail.realBelowRoot(root), { status: 400 });
  });

  it('maps real paths back to those of the client', () => {
    assert.equal(jail.client(jail.real('/home/kernel/x')), '/home/kernel/x');
    assert.equal(jail.client(ROOT), '/');
    assert.equal(jail.client(path.resolve('/data/other')), undefined);
    assert.equal(jail.clientText(`cannot open ${jail.real('/tmp/x')}.`), 'cannot open /tmp/x.');
  });

  for (const platform of ['linux', 'darwin'] as const) {
    it(`takes a backslash for a part of a name on ${platform}`, () => {
      const own = new Jail('/data/files', 'kernel', platform);
      assert.equal(own.real('/tmp/a\\b'), '/data/files/tmp/a\\b');
      assert.equal(own.client('/data/files/tmp/a\\b'), '/tmp/a\\b');
      assert.equal(own.clientText('/data/files/tmp/a\\b: no'), '/tmp/a\\b: no');
    });
  }

  describe('on Windows', () => {
    const root = 'C:\\Users\\Ann (me)\\AppData\\files';
    const own = new Jail(root, 'kernel', 'win32');

    it('maps paths in both directions', () => {
      assert.equal(own.real('/home/kernel/x'), `${root}\\home\\kernel\\x`);
      assert.equal(own.client(`${root}\\home\\kernel\\x`), '/home/kernel/x');
      assert.equal(own.client(`${root.toLowerCase()}\\x`), '/x', 'the same folder in another spelling');
      for (const other of ['D:\\x', 'C:\\Users', '\\\\host\\share']) assert.equal(own.client(other), undefined);
      assert.equal(own.real('/../../Windows'), `${root}\\Windows`);
    });

    it('refuses names that lead to a drive, a stream or a folder above', () => {
      for (const name of ['/a\\..\\..\\b', '/C:/Windows', '/a:stream'])
        assert.throws(() => own.real(name), { status: 400 });
    });

    it("gives texts of the browser the client's paths, with slashes, up to their end", () => {
      const real = `${root}\\home\\kernel\\extensions\\app`;
      assert.equal(own.clientText(real), '/home/kernel/extensions/app');
      assert.equal(own.clientText(real.replace('C:', 'c:')), '/home/kernel/extensions/app');
      assert.equal(
        own.clientText(`Failed to load '${real}\\sw.js' (as '${real.replaceAll('\\', '/')}/sw.js'): "\\d" is no match`),
        `Failed to load '/home/kernel/extensions/app/sw.js' (as '/home/kernel/extensions/app/sw.js'): "\\d" is no match`,
      );
      assert.equal(own.clientText('C:\\Users\\Ann'), 'C:\\Users\\Ann');
    });
  });
});
