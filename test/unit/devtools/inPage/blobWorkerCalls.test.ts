import assert from 'node:assert/strict';
import { carryInBlobWorkers } from '../../../../src/devtools/inPage/blobWorkerCalls';
import { carrySockets } from '../../../../src/devtools/inPage/socketCalls';
import { textOf } from '../../../../src/devtools/protocol/pageCall';
import { FakePage } from '../../../support/fakePage';

const HOSTS = ['localhost:5173'];
const FOLDER = '/.sideload/secret';

/** A page that makes workers of blobs, and remembers what of. */
class WorkerPage {
  readonly blobs = new Map<string, Blob>();
  readonly started: string[] = [];
  readonly #page: FakePage;

  constructor() {
    const { blobs, started } = this;
    const Worker = class {
      constructor(address: string) {
        started.push(address);
      }
    };
    let made = 0;
    const URL = {
      createObjectURL: (blob: Blob): string => {
        const address = `blob:page/${(made += 1)}`;
        blobs.set(address, blob);
        return address;
      },
      revokeObjectURL: (address: string): boolean => blobs.delete(address),
    };
    this.#page = new FakePage({ Blob, URL, Worker, SharedWorker: Worker });
  }

  carry(): void {
    this.#page.handle(carryInBlobWorkers, carrySockets, HOSTS, FOLDER);
  }

  get window(): {
    URL: typeof URL;
    Worker: new (address: string) => object;
    SharedWorker: new (address: string) => object;
  } {
    return this.#page.window as never;
  }

  /** The code of the worker that was started last. */
  async code(): Promise<string> {
    return (await this.blobs.get(this.started.at(-1) ?? '')?.text()) ?? '';
  }
}

describe('workers that are made of blobs', () => {
  let page: WorkerPage;

  beforeEach(() => {
    page = new WorkerPage();
    page.carry();
  });

  it('have their sockets carried before their own code', async () => {
    const { window } = page;
    for (const kind of ['Worker', 'SharedWorker'] as const) {
      new window[kind](window.URL.createObjectURL(new Blob(['own();'])));
      const code = await page.code();
      assert.match(code, /own\(\);$/);
      assert.ok(
        code.startsWith(`(${textOf(carrySockets)})(${JSON.stringify(HOSTS)}, "${FOLDER}");`),
        code.slice(0, 200),
      );
    }
  });

  it('are started once by the same address, so that a shared worker is shared', () => {
    const { window } = page;
    const address = window.URL.createObjectURL(new Blob(['own();']));
    new window.SharedWorker(address);
    new window.SharedWorker(address);
    const [first, second] = page.started;
    assert.equal(first, second);
    assert.notEqual(first, address);
  });

  it('are revoked together with the object URL that they were created from', () => {
    const { window } = page;
    const address = window.URL.createObjectURL(new Blob(['own();']));
    new window.Worker(address);
    assert.equal(page.blobs.size, 2);
    window.URL.revokeObjectURL(address);
    assert.equal(page.blobs.size, 0);
  });

  it('of files are left alone, and a second call changes nothing', async () => {
    page.carry();
    const { window } = page;
    new window.Worker('/worker.js');
    assert.deepEqual(page.started, ['/worker.js']);
    new window.Worker(window.URL.createObjectURL(new Blob(['own();'])));
    const text = textOf(carrySockets);
    const code = await page.code();
    assert.equal(code.indexOf(`(${text})(`), 0);
    assert.equal(code.indexOf(`(${text})([`, 1), -1, 'the sockets are carried once');
  });
});
