import * as l10n from '@vscode/l10n';
import { contentScripts, hasScriptType, type NamedScript } from '../namedFile';
import { adviceForMissing, createAdvice, MAX_HINTS } from '../folder/similar';
import { proposing } from '../proposal';
import { refusal } from '../refusal';
import { ruleOf, type Report } from '../rule';
import { isPlainUtf8 } from '../source/utf8';
import { builtFileFix } from './builtFile';

/** What Chromium's texts call each kind of file, and which files they say are supported. */
const KINDS = {
  js: {
    name: 'javascript',
    supported: 'content scripts can only be loaded from supported JavaScript files such as .js files.',
  },
  css: {
    name: 'css',
    supported: 'content script style sheets can only be loaded from supported style sheet files such as .css files.',
  },
} as const;

/**
 * R-CS-MIME: Chromium drops a whole content script, with one warning, at its first file of another type, and looks for none of its files.
 * Measured on Chromium 156.
 */
export const contentScriptTypeRule = ruleOf('R-CS-MIME', 'keys', async function* (context) {
  for (const files of contentScripts(context)) {
    const first = files.find((file) => !hasScriptType(file));
    if (first) yield proposing(wrongType(first), await builtFileFix(context, first));
  }
});

/** R-CS-MISSING: a script or style sheet that is missing, or is a folder. Measured on Chromium 156. */
export const missingContentScriptRule = ruleOf('R-CS-MISSING', 'files', async (context) => {
  const reports: Report[] = [];
  for (const files of contentScripts(context)) {
    if (!files.every(hasScriptType)) continue;
    for (const { kind, written, file, path } of files) {
      const facts = await context.folder.stat(file);
      if (facts && facts.kind !== 'folder') continue;
      const wrong = facts
        ? l10n.t('The content script file "{0}" is a folder.', written)
        : l10n.t('The content script file "{0}" is not in the folder.', written);
      const isHinted = !facts && reports.length < MAX_HINTS;
      const { advice, fix } = isHinted
        ? await adviceForMissing(context.folder, file, written)
        : { advice: createAdvice() };
      const text = `Could not load ${KINDS[kind].name} '${file}' for script.`;
      reports.push(proposing(refusal(text, `${wrong} ${advice}`, path), fix));
    }
  }
  return reports;
});

/** R-CS-UTF8: scripts and style sheets have to be UTF-8, in which Chromium does not count noncharacters. Measured on Chromium 156. */
export const contentScriptEncodingRule = ruleOf('R-CS-UTF8', 'files', async function* (context) {
  const read = new Map<string, boolean>();
  for (const files of contentScripts(context)) {
    if (!files.every(hasScriptType)) continue;
    for (const { written, file, path } of files) {
      let isText = read.get(file);
      if (isText === undefined) {
        const content = await context.folder.read(file);
        isText = !('bytes' in content) || isPlainUtf8(content.bytes);
        read.set(file, isText);
      }
      if (isText) continue;
      const text = `Could not load file '${file}' for content script. It isn't UTF-8 encoded.`;
      const message = l10n.t(
        'The content script file "{0}" is not UTF-8, or holds noncharacters such as U+FFFF. Save it as UTF-8, or have the minifier write ASCII only.',
        written,
      );
      yield { severity: 'error', message, chromium: text, path };
    }
  }
});

function wrongType({ kind, written, file, path }: NamedScript): Report {
  const why =
    file === ''
      ? l10n.t('"{0}" is not the name of a file in the folder.', written)
      : kind === 'js'
        ? l10n.t('"{0}" does not end in .js or .mjs.', written)
        : l10n.t('"{0}" does not end in .css.', written);
  return {
    severity: 'warning',
    message: `${why} ${l10n.t('Chromium drops this whole content script because of it. Name the built file.')}`,
    chromium: `Invalid script mime type: 'Could not load file '${file}' for content script, ${KINDS[kind].supported}'`,
    path,
  };
}
