import assert from 'node:assert/strict';
import path from 'node:path';
import { CdpPaths } from '../../../../src/local/devtools/cdpPaths';
import { Jail } from '../../../../src/local/files/jail';

const ROOT = path.resolve('/data/session/files');
const REAL = path.join(ROOT, 'home', 'kernel', 'extensions', 'app');
const CLIENT = '/home/kernel/extensions/app';

describe('paths in DevTools frames', () => {
  let paths: CdpPaths;
  beforeEach(() => {
    paths = new CdpPaths(new Jail(ROOT));
  });
  const load = (folder: string) =>
    JSON.stringify({ id: 5, method: 'Extensions.loadUnpacked', params: { path: folder } });

  it('are replaced by real paths in frames to the browser', () => {
    assert.deepEqual(JSON.parse(paths.toBrowser(load(CLIENT))), {
      id: 5,
      method: 'Extensions.loadUnpacked',
      params: { path: REAL },
    });
  });

  it("are replaced by the client's paths in results and error messages", () => {
    paths.toBrowser('{"id":1,"method":"Extensions.getExtensions"}');
    const list = JSON.stringify({ id: 1, result: { extensions: [{ id: 'x', path: REAL }] } });
    assert.deepEqual(JSON.parse(paths.toClient(list)), { id: 1, result: { extensions: [{ id: 'x', path: CLIENT }] } });
    paths.toBrowser(load(CLIENT));
    const refusal = JSON.stringify({ id: 5, error: { code: -1, message: `Failed to load '${REAL}/sw.js'.` } });
    assert.deepEqual(JSON.parse(paths.toClient(refusal)), {
      id: 5,
      error: { code: -1, message: `Failed to load '${CLIENT}/sw.js'.` },
    });
  });

  it('cannot lead out of the session', () => {
    const frame: unknown = JSON.parse(paths.toBrowser(load(`${CLIENT}/../../../../../../etc`)));
    assert.deepEqual(frame, { id: 5, method: 'Extensions.loadUnpacked', params: { path: path.join(ROOT, 'etc') } });
  });

  it('do not change in other frames', () => {
    const others = [
      JSON.stringify({
        id: 2,
        method: 'Runtime.evaluate',
        params: { expression: `'Extensions.loadUnpacked ${CLIENT}'` },
      }),
      load('/somewhere/else'),
      '{"id":3,"method":"Extensions.',
      'Extensions. is no JSON',
    ];
    for (const frame of others) assert.equal(paths.toBrowser(frame), frame);
    const event = JSON.stringify({ method: 'Runtime.consoleAPICalled', params: { text: REAL } });
    const answer = JSON.stringify({ id: 2, result: { value: REAL } });
    for (const frame of [event, answer]) assert.equal(paths.toClient(frame), frame);
  });

  it('are translated only in the response to the command', () => {
    paths.toBrowser(load(CLIENT));
    const answer = JSON.stringify({ id: 5, result: { path: REAL } });
    assert.notEqual(paths.toClient(answer), answer);
    assert.equal(paths.toClient(answer), answer);
  });
});
