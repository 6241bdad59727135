import { shortened } from '../base/units';

/** Control characters and line separators: a blank stands for them. */
const CONTROLS = /[\p{Cc}\u2028\u2029]+/gu;

/** Characters that change the direction of what follows, so that a text reads differently from what it is. */
const DIRECTIONS = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** Between these two, VS Code sees the link `[label](command:id)` or the icon `$(name)`, and not with a zero-width space between them. */
const MEANINGS = /(?<=[\]$])\(/g;

/**
 * `text` as VS Code may show it wherever it would draw links or icons: in notifications, dialogs, questions, progress and the status bar.
 * Texts there may contain parts from an extension, a browser, a file or the service. No link and no icon arises from them (VS Code 1.105
 * runs the command of `[label](command:id?args)` in messages and prompts on a click), all is on one line and reads in the order in which
 * it stands, and a long text is cut.
 */
export function plainText(text: string): string {
  return shortened(text).replace(CONTROLS, ' ').replace(DIRECTIONS, '').replace(MEANINGS, '\u200b(');
}

/** Control characters other than line breaks and tabs. */
const CONTROLS_IN_LINES = /[^\P{Cc}\n\t]+/gu;

/** `text` as an output channel may show it: it keeps its lines, which cannot be taken for entries of their own. */
export function plainLines(text: string): string {
  return text
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(CONTROLS_IN_LINES, ' ')
    .replace(DIRECTIONS, '')
    .replaceAll('\n', '\n    ');
}

/** Characters that would act in a terminal instead of being shown. */
const CONTROLS_IN_TERMINALS = /[^\P{Cc}\n]/gu;

/** `text` as a terminal or the output of a test may show it: no escape sequences, and lines that end as there. */
export function terminalText(text: string): string {
  return text.replaceAll(CONTROLS_IN_TERMINALS, ' ').replace(DIRECTIONS, '').replaceAll('\n', '\r\n');
}

/** A plain text with an icon of VS Code in front, where labels have icons. */
export function withIcon(icon: string, text: string): string {
  return `$(${icon}) ${plainText(text)}`;
}
