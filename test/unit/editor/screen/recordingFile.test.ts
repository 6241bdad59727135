import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RecordingFile, recordingPath, sweepRecordings } from '../../../../src/editor/screen/recordingFile';

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

  it('is removed when nothing was added to it for a week, and nothing else is', async () => {
    const left = recordingPath(folder);
    for (const file of [left, join(folder, 'other.webm'), join(folder, 'recording-1.webm.txt')])
      await writeFile(file, '1');
    const { mtimeMs } = await stat(left);
    const week = 7 * 24 * 60 * 60 * 1000;
    await sweepRecordings(folder, mtimeMs + week - 1);
    assert.equal((await readdir(folder)).length, 3);
    await sweepRecordings(folder, mtimeMs + week);
    assert.deepEqual((await readdir(folder)).sort(), ['other.webm', 'recording-1.webm.txt']);
    await sweepRecordings(join(folder, 'nowhere'));
  });
});
