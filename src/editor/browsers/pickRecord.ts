import { recordLabel } from '../lists/labels';
import { pick, showInformation } from '../notify';

/** Asks for one of the profiles or stored extensions; undefined when the user cancels, or there is none, which `none` says. */
export async function pickRecord<T extends { id: string; name?: string | null }>(
  records: AsyncIterable<T>,
  placeHolder: string,
  none: string,
): Promise<T | undefined> {
  const choices: { label: string; description: string; record: T }[] = [];
  for await (const record of records) {
    choices.push({ label: recordLabel(record), description: record.name ? record.id : '', record });
  }
  if (choices.length === 0) {
    showInformation(none);
    return undefined;
  }
  return (await pick(choices, { placeHolder }))?.record;
}
