import assert from 'node:assert/strict';
import path from 'node:path';
import { translatePaths } from '../../../../src/local/devtools/cdpPaths';
import { Jail } from '../../../../src/local/files/jail';

const ROOT = path.resolve('/data/session/files');
const REAL = path.join(ROOT, 'home', 'kernel', 'extensions', 'app');
const CLIENT = '/home/kernel/extensions/app';
const jail = new Jail(ROOT);

describe('paths in DevTools commands', () => {
  const load = (folder: unknown) => ({ id: 5, method: 'Extensions.loadUnpacked', params: { path: folder } });

  it('are replaced by real paths in commands to the browser', () => {
    assert.deepEqual(translatePaths(load(CLIENT), jail).command, load(REAL));
  });

  it('are replaced for files that are given to a page, if the service has them', () => {
    const give = (...files: string[]) => ({
      id: 6,
      method: 'DOM.setFileInputFiles',
      params: { backendNodeId: 1, files },
    });
    const { command } = translatePaths(give('/home/kernel/uploads/a/b.txt', '/home/me/c.txt'), jail);
    assert.deepEqual(command, give(path.join(ROOT, 'home', 'kernel', 'uploads', 'a', 'b.txt'), '/home/me/c.txt'));
    const out = translatePaths(give('/home/kernel/uploads/../../../../etc/passwd'), jail);
    assert.deepEqual(out.command, give(path.join(ROOT, 'etc', 'passwd')));
  });

  it("are replaced by the client's paths in results and error messages", () => {
    const list = translatePaths({ id: 1, method: 'Extensions.getExtensions' }, jail);
    assert.deepEqual(list.translate?.({ id: 1, result: { extensions: [{ id: 'x', path: REAL }] } }), {
      id: 1,
      result: { extensions: [{ id: 'x', path: CLIENT }] },
    });
    const refusal = { id: 5, error: { code: -1, message: `Failed to load '${REAL}/sw.js'.` } };
    assert.deepEqual(translatePaths(load(CLIENT), jail).translate?.(refusal), {
      id: 5,
      error: { code: -1, message: `Failed to load '${CLIENT}/sw.js'.` },
    });
  });

  it('cannot lead out of the session', () => {
    const { command } = translatePaths(load(`${CLIENT}/../../../../../../etc`), jail);
    assert.deepEqual(command, load(path.join(ROOT, 'etc')));
  });

  it('do not change in other commands', () => {
    const evaluate = {
      id: 2,
      method: 'Runtime.evaluate',
      params: { expression: `'Extensions.loadUnpacked ${CLIENT}'` },
    };
    for (const command of [evaluate, load('/somewhere/else'), load(5), { id: 3, method: 5 }, [CLIENT], CLIENT, null]) {
      assert.equal(translatePaths(command, jail).command, command);
    }
    assert.equal(translatePaths(evaluate, jail).translate, undefined);
  });
});
