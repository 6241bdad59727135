import assert from 'node:assert/strict';
import { ServiceError } from '../../../src/service/serviceErrors';
import type { BrowserPool, StoredExtension } from '../../../src/service/model';
import { TestClock } from '../../support/testClock';
import { ReplaceError, replaceStored, type StoredService } from '../../../src/service/replaceStored';

const ZIP = new Uint8Array([1]);
const NO_ANSWER = new ServiceError({ kind: 'timeout', operation: 'x', message: 'no answer', mayHaveHappened: true });

/** The stored extensions of a service by name, with what was done to them. */
class Store implements StoredService {
  readonly names = new Map<string, string>();
  readonly done: string[] = [];
  pools: BrowserPool[] | ServiceError = [];
  /** Refuses the step with this number, from 1. */
  refuses = 0;
  /** The answer to the upload with this number is lost, from 1: it was done, or not. */
  lost: { upload: number; isDone: boolean } | undefined;
  /** The answer to each deletion is lost. */
  isForgetful = false;
  /** The fewest archives that were stored at any time. */
  fewest = Infinity;
  #ids = 0;

  constructor(...names: string[]) {
    for (const name of names) this.names.set(name, `id-${name}`);
  }

  uploadExtension = (_zip: Uint8Array, name = ''): Promise<StoredExtension> =>
    this.#step(`upload ${name.replace(/-[0-9a-f]{8}$/, '-TEMPORARY')}`, () => {
      if (this.names.has(name)) throw refusal('conflict');
      this.#ids += 1;
      const isLost = this.lost?.upload === this.#ids;
      if (!isLost || this.lost?.isDone) this.names.set(name, `new-${this.#ids}`);
      if (isLost) throw NO_ANSWER;
      return { id: `new-${this.#ids}`, name };
    });

  getExtension = (name: string): Promise<StoredExtension> => {
    const id = this.names.get(name);
    return id === undefined ? Promise.reject(refusal('notFound')) : Promise.resolve({ id, name });
  };

  deleteExtension = (idOrName: string): Promise<void> =>
    this.#step(`delete ${idOrName}`, () => {
      const found = [...this.names].find(([name, id]) => name === idOrName || id === idOrName);
      if (!found) throw refusal('notFound');
      this.names.delete(found[0]);
      if (this.isForgetful) throw NO_ANSWER;
    });

  async *listPools(_signal?: AbortSignal): AsyncGenerator<BrowserPool> {
    if (this.pools instanceof ServiceError) throw this.pools;
    yield* await Promise.resolve(this.pools);
  }

  #step<T>(what: string, act: () => T): Promise<T> {
    this.done.push(what);
    if (this.done.length === this.refuses) return Promise.reject(refusal('forbidden'));
    try {
      const result = act();
      this.fewest = Math.min(this.fewest, this.names.size);
      return Promise.resolve(result);
    } catch (error) {
      return Promise.reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
}

function refusal(kind: 'conflict' | 'notFound' | 'forbidden' | 'unsupported'): ServiceError {
  return new ServiceError({ kind, operation: 'x', message: `it is ${kind}`, mayHaveHappened: false });
}

describe('replacing a stored extension', () => {
  it('never leaves a moment without one of both, and ends with the name', async () => {
    const store = new Store('notes');
    const { record } = await replaceStored(store, ZIP, { name: 'notes', old: 'notes' });
    assert.deepEqual(store.done, ['upload notes-TEMPORARY', 'delete notes', 'upload notes', 'delete new-1']);
    assert.deepEqual([...store.names], [['notes', 'new-2']]);
    assert.equal(record.id, 'new-2');
    assert.ok(store.fewest >= 1);
  });

  it('ends while it looks for pools when it is cancelled, and changes nothing', async () => {
    const store = new Store('notes');
    const cancelled = new AbortController();
    store.listPools = async function* (signal?: AbortSignal) {
      cancelled.abort();
      signal?.throwIfAborted();
      yield* await Promise.resolve([]);
      assert.fail('it goes on with the list');
    };
    const replacing = replaceStored(store, ZIP, { name: 'notes', old: 'notes' }, cancelled.signal);
    await assert.rejects(replacing, { name: 'AbortError' });
    assert.deepEqual(store.done, []);
  });

  it('takes back the temporary one when it is cancelled while that is uploaded, also when the service stores it later', async () => {
    for (const laterMs of [0, 1000]) {
      const store = new Store('notes');
      const clock = new TestClock();
      const cancelled = new AbortController();
      const upload = store.uploadExtension;
      store.uploadExtension = (zip, name) => {
        clock.after(laterMs, () => void upload(zip, name));
        cancelled.abort();
        return Promise.reject(new DOMException('cancelled', 'AbortError'));
      };
      const replacing = replaceStored(store, ZIP, { name: 'notes', old: 'notes' }, cancelled.signal, clock);
      await assert.rejects(clock.run(replacing), { name: 'AbortError' });
      assert.equal(store.done.includes('upload notes-TEMPORARY'), true);
      assert.deepEqual([...store.names], [['notes', 'id-notes']]);
    }
  });

  it('stores it where there is none', async () => {
    const store = new Store();
    await replaceStored(store, ZIP, { name: 'notes', old: 'notes' });
    assert.deepEqual([...store.names.keys()], ['notes']);
  });

  it('changes nothing when the service refuses the upload, or the deletion', async () => {
    for (const refuses of [1, 2]) {
      const store = new Store('notes');
      store.refuses = refuses;
      await assert.rejects(replaceStored(store, ZIP, { name: 'notes', old: 'notes' }), { kind: 'forbidden' });
      assert.deepEqual([...store.names], [['notes', 'id-notes']]);
    }
  });

  it('says under which name the new one is stored when the service refuses the last upload', async () => {
    const store = new Store('notes');
    store.refuses = 3;
    await assert.rejects(replaceStored(store, ZIP, { name: 'notes', old: 'notes' }), (error) => {
      assert.ok(error instanceof ReplaceError);
      const [kept = ''] = [...store.names.keys()];
      assert.match(kept, /^notes-[0-9a-f]{8}$/);
      assert.match(error.message, /The old "notes" was deleted.*it is forbidden\. It is stored as "notes-/);
      assert.ok(error.message.includes(kept));
      return true;
    });
  });

  it('keeps the new one, and says where, when it is not known whether the old one was deleted', async () => {
    const store = new Store('notes');
    store.isForgetful = true;
    await assert.rejects(
      replaceStored(store, ZIP, { name: 'notes', old: 'notes' }),
      (error) => error instanceof ReplaceError && /may have been deleted.* is stored as "notes-/.test(error.message),
    );
    assert.equal(store.names.size, 1);
  });

  it('is done when only the answer to an upload was lost', async () => {
    for (const upload of [1, 2]) {
      const store = new Store('notes');
      store.lost = { upload, isDone: true };
      const { record } = await replaceStored(store, ZIP, { name: 'notes', old: 'notes' }, undefined, new TestClock());
      assert.deepEqual([...store.names], [['notes', 'new-2']]);
      assert.equal(record.id, 'new-2');
    }
  });

  it('says where the new one is, and not that it has no other name, when the answer to the last upload was lost', async () => {
    const store = new Store('notes');
    store.lost = { upload: 2, isDone: false };
    const clock = new TestClock();
    await assert.rejects(
      clock.run(replaceStored(store, ZIP, { name: 'notes', old: 'notes' }, undefined, clock)),
      (error) =>
        error instanceof ReplaceError &&
        /was deleted\. Whether .* is not known.* is stored as "notes-/.test(error.message),
    );
    assert.ok(clock.now() >= 3000, 'The service has had time to store it.');
  });

  it('keeps the temporary name within the longest that is allowed', async () => {
    const name = 'n'.repeat(255);
    const store = new Store(name);
    store.refuses = 3;
    await assert.rejects(replaceStored(store, ZIP, { name, old: name }));
    assert.equal([...store.names.keys()][0]?.length, 255);
  });

  it('names the pools that load the old one by name or id, and none where the service has no pools', async () => {
    const store = new Store('notes');
    store.pools = [{ id: 'a', name: 'warm', extensions: ['notes'] }, { id: 'b', extensions: ['other'] }, { id: 'c' }];
    const { pools } = await replaceStored(store, ZIP, { name: 'notes', old: 'notes' });
    assert.deepEqual(
      pools.map(({ id }) => id),
      ['a'],
    );
    store.pools = refusal('unsupported');
    const without = await replaceStored(store, ZIP, { name: 'notes', old: 'notes' });
    assert.deepEqual([without.pools, without.poolsError], [[], undefined]);
  });

  it('says that it does not know the pools when the service refuses to list them', async () => {
    const store = new Store('notes');
    store.pools = refusal('forbidden');
    const { record, poolsError } = await replaceStored(store, ZIP, { name: 'notes', old: 'notes' });
    assert.equal(record.id, 'new-2');
    assert.equal(poolsError?.kind, 'forbidden');
  });
});
