import type { CaseFile } from './caseFolder';
import { mutateString } from './mutateString';
import type { Chance } from '../support/random';
import { STRAY_FILES } from './vocabulary';

type Files = Record<string, CaseFile>;

const CONTENTS: readonly CaseFile[] = [
  ...['', ' ', 'x', '{}', '[]', '\ufeff', '\u0000', 'a\uffffb', '\ufdd0', '// x\n'],
  { dir: true },
  ...[
    [0xff, 0xfe, 0x00],
    [0xc3, 0x28],
    [0xed, 0xa0, 0x80],
    [0xef, 0xbb, 0xbf, 0x41],
  ].map((bytes) => ({
    base64: Buffer.from(bytes).toString('base64'),
  })),
  '-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n',
];

/** A folder with one file fewer, other, elsewhere or more; the manifest stays. */
export function mutateFiles(files: Files, chance: Chance): Files {
  const names = Object.keys(files).filter((name) => name !== 'manifest.json');
  const share = chance.number();
  if (names.length === 0 || share < 0.2) return withFile(files, chance.pick(STRAY_FILES), chance.pick(CONTENTS));
  const name = chance.pick(names);
  if (share < 0.6) return without(files, name);
  if (share < 0.85) return withFile(without(files, name), name, chance.pick(CONTENTS));
  const content = files[name] ?? '';
  const moved = mutateString(name, chance).replaceAll('\u0000', '');
  return isUsable(moved) ? withFile(without(files, name), moved, content) : without(files, name);
}

function without(files: Files, name: string): Files {
  return Object.fromEntries(Object.entries(files).filter(([other]) => other !== name));
}

/** The files with one more. A folder cannot also be a file, so what is in the way is left out; only the manifest stays. */
export function withFile(files: Files, name: string, content: CaseFile): Files {
  const kept = Object.entries(files).filter(
    ([other]) => other === 'manifest.json' || !(other.startsWith(`${name}/`) || name.startsWith(`${other}/`)),
  );
  return name.startsWith('manifest.json') ? Object.fromEntries(kept) : Object.fromEntries([...kept, [name, content]]);
}

/** True for a name that leads to a file inside the folder and nowhere else. */
function isUsable(name: string): boolean {
  const segments = name.split('/');
  return name.length < 200 && !segments.some((segment) => segment === '' || segment === '.' || segment === '..');
}
