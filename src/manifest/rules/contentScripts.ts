import * as l10n from '@vscode/l10n';
import { contentScripts, hasScriptType, type NamedScript } from '../namedFile';
import { MAX_HINTS } from '../folder/similar';
import { proposing } from '../proposal';
import { caution, refusal } from '../refusal';
import { ruleOf, type Context, type Report } from '../rule';
import { isPlainUtf8 } from '../source/utf8';
import { builtFileFix } from './builtFile';
import { missingFile } from './missingFile';

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
export const missingContentScriptRule = ruleOf('R-CS-MISSING', 'files', async function* (context) {
  const { folder } = context;
  let count = 0;
  for (const script of loadedScripts(context)) {
    const { kind, written, file, path } = script;
    const facts = await folder.stat(file);
    if (facts && facts.kind !== 'folder') continue;
    const message = facts
      ? l10n.t('The content script file "{0}" is a folder.', written)
      : l10n.t('The content script file "{0}" is not in the folder.', written);
    const report = refusal(`Could not load ${KINDS[kind].name} '${file}' for script.`, message, path);
    yield await missingFile(folder, script, report, count++ < MAX_HINTS && !facts);
  }
});

/** The files of the content scripts that Chromium does not drop. */
function loadedScripts(context: Context): NamedScript[] {
  return contentScripts(context)
    .filter((files) => files.every(hasScriptType))
    .flat();
}

/** R-CS-UTF8: scripts and style sheets have to be UTF-8, in which Chromium does not count noncharacters. Measured on Chromium 156. */
export const contentScriptEncodingRule = ruleOf('R-CS-UTF8', 'files', async function* (context) {
  const read = new Map<string, boolean>();
  for (const { written, file, path } of loadedScripts(context)) {
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
    yield refusal(text, message, path);
  }
});

function wrongType({ kind, written, file, path }: NamedScript): Report {
  const why =
    file === ''
      ? l10n.t('"{0}" is not the name of a file in the folder.', written)
      : kind === 'js'
        ? l10n.t('"{0}" does not end in .js or .mjs.', written)
        : l10n.t('"{0}" does not end in .css.', written);
  const text = `Invalid script mime type: 'Could not load file '${file}' for content script, ${KINDS[kind].supported}'`;
  const advice = l10n.t('Chromium drops this whole content script because of it. Name the built file.');
  return caution(text, `${why} ${advice}`, path);
}
