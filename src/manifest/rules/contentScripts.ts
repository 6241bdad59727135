import { contentScripts, hasScriptType, type NamedScript } from '../files';
import { fixed } from '../fixes';
import { hintForMissing, MAX_HINTS } from '../folder/similar';
import type { Report, Rule } from '../rule';
import { isPlainUtf8 } from '../source/utf8';
import { builtFileFix } from './builtFile';

const KINDS = {
  js: {
    name: 'script',
    endings: '.js or .mjs',
    missing: 'javascript',
    supported: 'content scripts can only be loaded from supported JavaScript files such as .js files.',
  },
  css: {
    name: 'style sheet',
    endings: '.css',
    missing: 'css',
    supported: 'content script style sheets can only be loaded from supported style sheet files such as .css files.',
  },
} as const;

/**
 * R-CS-MIME: the first file of another type drops its whole content script with one warning, before any file of it is looked for.
 * Measured on Chromium 156.
 */
export const contentScriptTypeRule: Rule = {
  id: 'R-CS-MIME',
  stage: 'keys',
  async check(context) {
    const reports: Report[] = [];
    for (const files of contentScripts(context)) {
      const first = files.find((file) => !hasScriptType(file));
      if (first) reports.push({ ...wrongType(first), ...fixed(await builtFileFix(context, first)) });
    }
    return reports;
  },
};

/** R-CS-MISSING: a script or style sheet that is not there, or is a folder. Measured on Chromium 156. */
export const missingContentScriptRule: Rule = {
  id: 'R-CS-MISSING',
  stage: 'files',
  async check(context) {
    const reports: Report[] = [];
    for (const files of contentScripts(context)) {
      if (!files.every(hasScriptType)) continue;
      for (const { kind, written, file, path } of files) {
        const facts = await context.folder.stat(file);
        if (facts && facts.kind !== 'folder') continue;
        const wrong = facts ? 'is a folder.' : 'is not in the folder.';
        const hint = facts || reports.length >= MAX_HINTS ? '' : await hintForMissing(context.folder, file);
        reports.push({
          severity: 'error',
          message: `The content ${KINDS[kind].name} "${written}" ${wrong}${hint || ' Create the file, or correct the name.'}`,
          chromium: `Could not load ${KINDS[kind].missing} '${file}' for script.`,
          path,
        });
      }
    }
    return reports;
  },
};

/** R-CS-UTF8: scripts and style sheets have to be UTF-8, in which Chromium does not count noncharacters. Measured on Chromium 156. */
export const contentScriptEncodingRule: Rule = {
  id: 'R-CS-UTF8',
  stage: 'files',
  async check(context) {
    const reports: Report[] = [];
    const read = new Map<string, boolean>();
    for (const files of contentScripts(context)) {
      if (!files.every(hasScriptType)) continue;
      for (const { kind, written, file, path } of files) {
        let isText = read.get(file);
        if (isText === undefined) {
          const content = await context.folder.read(file);
          isText = !('bytes' in content) || isPlainUtf8(content.bytes);
          read.set(file, isText);
        }
        if (isText) continue;
        const text = `Could not load file '${file}' for content script. It isn't UTF-8 encoded.`;
        const message = `The content ${KINDS[kind].name} "${written}" is not UTF-8, or holds noncharacters such as U+FFFF. Save it as UTF-8; have the minifier write ASCII only.`;
        reports.push({ severity: 'error', message, chromium: text, path });
      }
    }
    return reports;
  },
};

function wrongType({ kind, written, file, path }: NamedScript): Report {
  const { name, endings, supported } = KINDS[kind];
  const why =
    file === '' ? 'this is no name of a file in the folder' : `the name of a ${name} has to end in ${endings}`;
  return {
    severity: 'warning',
    message: `Chromium drops this whole content script because of "${written}": ${why}. Name the built file.`,
    chromium: `Invalid script mime type: 'Could not load file '${file}' for content script, ${supported}'`,
    path,
  };
}
