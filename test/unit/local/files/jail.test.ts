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
});
