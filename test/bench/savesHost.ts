/**
 * A process of its own that saves and pushes as an extension host does, with Sideload as it ships: bundled, so that threads check and pack. It gets a
 * {@link SavesTask}, and after that any message for one save, which it answers with {@link SaveTimes}.
 */
import { parseBaseUrl } from '../../src/service/serviceAddress';
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';
import { Beacon } from './beacon';
import { answerMessages } from './hostProcess';
import { InPlace } from './inPlace';
import type { SavesTask, SaveTimes } from './savesTask';
import { timed } from './scaleCase';
import { SCRIPT_BYTES, Subject } from './subject';

async function prepare({ baseUrl, token, folder, name, files, bytes }: SavesTask): Promise<() => Promise<SaveTimes>> {
  const client = new ServiceClient({ baseUrl: parseBaseUrl(baseUrl), token, log: silentLogger });
  const beacon = await Beacon.start();
  const subject = await Subject.create(folder, name, beacon);
  await subject.pad(files, bytes, SCRIPT_BYTES);
  const pushed = await InPlace.prepare(client, subject, beacon);
  await pushed.watch();
  return async () => {
    let save = 0;
    const { held } = await timed(async () => {
      save = await pushed.worker();
    });
    return { save, held };
  };
}

let saving: Promise<() => Promise<SaveTimes>> | undefined;

answerMessages(async (message) => {
  if (saving) return await (await saving)();
  saving = prepare(message as SavesTask);
  await saving;
  return {};
});
