import assert from 'node:assert/strict';
import { BrowserMachines } from '../../../../src/push/place/browserMachines';
import type { PushService } from '../../../../src/push/pushService';
import { kindOfStatus, ServiceError } from '../../../../src/service/serviceErrors';
import type { FileInfo } from '../../../../src/service/model';

/** The folders of a machine by path, with the names of the folders in each; or the status of every answer. */
type Machine = Record<string, readonly string[]> | number;

/** The operations for files of a service, and the folders that were asked for. */
function filesOf(machine: Machine): Pick<PushService, 'listFiles'> & { asked: string[] } {
  const asked: string[] = [];
  const failure = (status: number): ServiceError =>
    new ServiceError({
      kind: kindOfStatus(status),
      operation: 'listFiles',
      status,
      message: '',
      mayHaveHappened: false,
    });
  const entry = (folder: string, name: string): FileInfo => {
    return { name, path: `${folder}/${name}`, isFolder: true, sizeBytes: 0, modifiedAt: '', mode: '' };
  };
  return {
    asked,
    listFiles: (_id, folder) => {
      asked.push(folder);
      if (typeof machine === 'number') return Promise.reject(failure(machine));
      const names = machine[folder];
      return names ? Promise.resolve(names.map((name) => entry(folder, name))) : Promise.reject(failure(404));
    },
  };
}

describe('the folder of extensions', () => {
  it('is that of the first guess where it exists, after one request', async () => {
    const files = filesOf({ '/home/kernel/extensions': ['a'] });
    const machines = new BrowserMachines();
    const entries = await machines.list(files, 'one');
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['a'],
    );
    assert.equal(machines.root, '/home/kernel/extensions');
    assert.ok(machines.isCertain);
    assert.deepEqual(files.asked, ['/home/kernel/extensions']);
  });

  it('is in the only home', async () => {
    const files = filesOf({ '/home': ['chrome'], '/home/chrome/extensions': ['a'] });
    const machines = new BrowserMachines();
    const entries = await machines.list(files, 'one');
    assert.deepEqual(
      entries.map(({ name }) => name),
      ['a'],
    );
    assert.equal(machines.root, '/home/chrome/extensions');
    assert.equal(machines.uploads, '/home/chrome/uploads');
  });

  it('is found before it exists, and is not looked for again', async () => {
    const files = filesOf({ '/home': ['chrome'] });
    const machines = new BrowserMachines();
    assert.deepEqual(await machines.list(files, 'one'), []);
    assert.equal(machines.root, '/home/chrome/extensions');
    files.asked.length = 0;
    assert.deepEqual(await machines.list(files, 'two'), []);
    assert.deepEqual(files.asked, ['/home/chrome/extensions']);
  });

  it('is, of several homes, that of the extensions which DevTools has shown', async () => {
    const files = filesOf({ '/home': ['admin', 'chrome'], '/home/admin/extensions': [] });
    const machines = new BrowserMachines();
    machines.noteLoaded(['/opt/extensions/x', '/home/chrome/extensions/helper']);
    await machines.list(files, 'one');
    assert.equal(machines.root, '/home/chrome/extensions');
  });

  it('is, of several homes of which nothing is shown, the one that has the folder', async () => {
    const machines = new BrowserMachines();
    await machines.list(filesOf({ '/home': ['admin', 'chrome'], '/home/chrome/extensions': [] }), 'one');
    assert.equal(machines.root, '/home/chrome/extensions');
  });

  it('is never one of the user where the first guess exists', async () => {
    const machines = new BrowserMachines();
    machines.noteLoaded(['/home/me/extensions/mine']);
    machines.noteLoaded(['/home/kernel/extensions/a']);
    await machines.list(filesOf({ '/home/kernel/extensions': [] }), 'one');
    assert.equal(machines.root, '/home/kernel/extensions');
  });
});

describe('a service without operations for files', () => {
  for (const status of [405, 501]) {
    it(`is asked once when it answers ${status}`, async () => {
      const files = filesOf(status);
      const machines = new BrowserMachines();
      assert.deepEqual(await machines.list(files, 'one'), []);
      assert.ok(machines.lacksFiles);
      await machines.list(files, 'one');
      assert.equal(files.asked.length, 1);
    });
  }

  it('is known by two 404s once an upload to the browser has succeeded', async () => {
    const files = filesOf(404);
    const machines = new BrowserMachines();
    assert.deepEqual(await machines.list(files, 'one'), []);
    assert.ok(machines.lacksFiles);
    await machines.list(files, 'one');
    assert.equal(files.asked.length, 4, 'the browser may have ended');
    machines.noteUploaded();
    await machines.list(files, 'one');
    assert.equal(files.asked.length, 4);
    assert.ok(machines.lacksFiles);
  });

  it('is not one that fails', async () => {
    const machines = new BrowserMachines();
    await assert.rejects(machines.list(filesOf(500), 'one'), { kind: 'server' });
    assert.ok(!machines.lacksFiles);
  });
});
