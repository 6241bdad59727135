import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingFile } from '../../../../src/editor/screen/recordingFile';

describe('a recording on disk', () => {
  let folder: string;
  let path: string;
  /** How often it has said that it takes no further part. */
  let failures: number;
  let recording: RecordingFile;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'recording-'));
    path = join(folder, 'storage', 'one.webm');
    failures = 0;
    recording = new RecordingFile(path, () => (failures += 1), 6);
  });

  afterEach(async () => {
    await rm(folder, { recursive: true });
  });

  const add = (text: string): Promise<void> => recording.add(Buffer.from(text));

  it('has its parts in the order of the calls', async () => {
    await Promise.all([add('12'), add('34'), add(''), add('56')]);
    assert.equal(await readFile(path, 'utf8'), '123456');
    assert.deepEqual([recording.failure, failures], [undefined, 0]);
  });

  it('says once that it ends when it is as long as one may be, and why', async () => {
    await Promise.all([add('1234'), add('567'), add('8')]);
    assert.equal(await readFile(path, 'utf8'), '1234');
    assert.match(String(recording.failure), /A recording has at most 6 B\./);
    assert.equal(failures, 1);
  });

  it('says so, too, when a part cannot be written', async () => {
    await writeFile(join(folder, 'storage'), 'a file');
    await Promise.all([add('1'), add('2')]);
    assert.ok(recording.failure instanceof Error);
    assert.equal(failures, 1);
  });

  it('leaves nothing when it is dropped', async () => {
    void add('1');
    await recording.drop();
    await assert.rejects(readFile(path), { code: 'ENOENT' });
  });
});
