import { html, type Html } from './html';
import { KEY_NAMES, MODIFIERS, type Modifier } from '../protocol';
import type { ScrollTexts } from '../screenTexts';

export interface ScrollPageOptions {
  /** Random for each page; only letters and digits, so that it cannot end the policy that contains it. */
  nonce: string;
  scriptUri: string;
  styleUri: string;
  /** The source that VS Code serves the page's files from. */
  cspSource: string;
  /** Language of the texts, such as `en`. */
  language: string;
  texts: ScrollTexts;
  /** Whether the page is in an editor tab or in a view of the sidebar, which has a background of its own. */
  place: 'editor' | 'view';
}

/**
 * The whole document of the screen's page. Its policy starts from nothing: one script with the nonce, styles of the editor's own source,
 * and nothing else: pictures come in messages. Throws a RangeError for an invalid nonce.
 */
export function scrollPage({
  nonce,
  scriptUri,
  styleUri,
  cspSource,
  language,
  texts,
  place,
}: ScrollPageOptions): string {
  if (!/^[A-Za-z0-9]{16,}$/.test(nonce)) throw new RangeError('The nonce must be 16 or more letters and digits.');
  const policy = `default-src 'none'; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title}</title>
        <link rel="stylesheet" href="${styleUri}" />
      </head>
      <body data-place="${place}" data-texts="${JSON.stringify(texts)}">
        ${toolbar(texts)}
        <nav class="tabs" aria-label="${texts.tabs}">
          <div id="tabs" role="tablist" aria-label="${texts.tabs}"></div>
          ${iconButton('newTab', texts.newTab)}
        </nav>
        <main>
          ${screen(texts)}
          <div class="strip">
            <p>
              <span id="dot" aria-hidden="true"></span><span id="line"></span>
              <span id="status">${texts.connecting}</span>
            </p>
            <p class="figures">
              <button id="refresh" type="button" disabled hidden>${texts.refresh}</button>
              <button id="zoom" type="button" hidden></button> <span id="fps"></span> <span id="roundTrip"></span>
              <span id="shownSize"></span>
            </p>
          </div>
          <details id="precise">
            <summary>${texts.precise}</summary>
            ${form(texts)}
          </details>
        </main>
        <p id="live" class="spoken" role="status" aria-live="polite"></p>
        <script nonce="${nonce}" src="${scriptUri}"></script>
      </body>
    </html>`;
  return page.text;
}

/** Drawings of 16 by 16 units, in strokes of the text's colour. */
const ICONS = {
  choose: 'M4 6l4 4 4-4',
  back: 'M10 3.5L5.5 8l4.5 4.5',
  forward: 'M6 3.5L10.5 8 6 12.5',
  reload: 'M13 8a5 5 0 1 1-1.6-3.7M13 2.5v3h-3',
  newTab: 'M8 3v10M3 8h10',
  openPopup: 'M2 3h12v10H2zM7.5 3v6H14',
  savePicture: 'M2 5h3l1-2h4l1 2h3v8H2zM8 7a2 2 0 1 1 0 4 2 2 0 0 1 0-4z',
  record: 'M8 3.5a4.5 4.5 0 1 1 0 9 4.5 4.5 0 0 1 0-9z',
  rotate: 'M3 5.5h7a3 3 0 0 1 3 3V12M11 10l2 2 2-2M5.5 3L3 5.5 5.5 8',
  closeSurface: 'M4 4l8 8M12 4l-8 8',
  whole: 'M2 3.5h12v9H2zM2 6.5h12M4.5 5h0M6.5 5h0',
} as const;

function iconButton(id: keyof typeof ICONS, label: string): Html {
  return html`<button id="${id}" class="icon" type="button" aria-label="${label}" title="${label}">
    ${icon(id)}
  </button>`;
}

/** A button whose drawing alone does not say what it does; `label` is what a screen reader says and contains the word. */
function wordButton(id: keyof typeof ICONS, word: string, label: string): Html {
  return html`<button id="${id}" class="icon" type="button" aria-label="${label}" title="${label}">
    ${icon(id)} <span class="word">${word}</span>
  </button>`;
}

/** Shown where the service can show the whole screen. */
function wholeButton({ whole, wholeHelp }: ScrollTexts): Html {
  return html`<button
    id="whole"
    class="icon"
    type="button"
    aria-label="${whole}"
    title="${wholeHelp}"
    aria-pressed="false"
    hidden
  >
    ${icon('whole')} <span class="word">${whole}</span>
  </button>`;
}

function icon(id: keyof typeof ICONS): Html {
  return html`<svg viewBox="0 0 16 16" aria-hidden="true"><path d="${ICONS[id]}" /></svg>`;
}

function toolbar(texts: ScrollTexts): Html {
  const sizes = [
    ['fit', texts.sizeFit],
    ['window', texts.sizeWindow],
    ['laptop', `${texts.sizeLaptop} 1280 × 800`],
    ['desktop', `${texts.sizeDesktop} 1920 × 1080`],
    ['tablet', `${texts.sizeTablet} 768 × 1024`],
    ['phone', `${texts.sizePhone} 390 × 844`],
  ] as const;
  return html`<header>
    <div class="group">
      <h1 id="browser">${texts.title}</h1>
      ${iconButton('choose', texts.chooseAnother)}
    </div>
    <div class="group">
      ${iconButton('back', texts.back)} ${iconButton('forward', texts.forward)} ${iconButton('reload', texts.reload)}
    </div>
    <input
      id="address"
      type="text"
      inputmode="url"
      spellcheck="false"
      autocomplete="off"
      disabled
      aria-label="${texts.address}"
    />
    <div class="group actions">
      <select id="size" aria-label="${texts.size}" title="${texts.size}">
        ${sizes.map(([value, label]) => html`<option value="${value}">${label}</option>`)}
      </select>
      ${wordButton('rotate', texts.rotate, texts.rotate)} ${wholeButton(texts)}
      ${wordButton('openPopup', texts.popupWord, texts.openPopup)} ${iconButton('savePicture', texts.savePicture)}
      ${wordButton('record', texts.record, texts.record)}
    </div>
  </header>`;
}

function screen(texts: ScrollTexts): Html {
  return html`<section id="stage" class="screen">
    <div id="pad" tabindex="0" role="application" aria-label="${texts.pad}" aria-describedby="padHelp">
      <div id="skeleton" aria-hidden="true"></div>
      <canvas id="picture" role="img" aria-label="${texts.picture}" hidden></canvas>
      <canvas id="surface" role="img" aria-label="${texts.popup}" hidden></canvas>
      <span id="marker" aria-hidden="true" hidden></span>
      <span id="mark" hidden></span>
    </div>
    <form id="picker" hidden>
      <select id="list" aria-label="${texts.list}"></select>
      <input id="field" aria-label="${texts.field}" />
      <button id="fill" type="submit">${texts.accept}</button>
    </form>
    ${iconButton('closeSurface', texts.closeSurface)}
    <p id="cover" hidden></p>
    <div id="dialog" role="alertdialog" aria-labelledby="speaker question" hidden>
      <form id="answers">
        <p id="speaker"></p>
        <p id="question"></p>
        <input id="answer" type="text" aria-label="${texts.answer}" />
        <button id="accept" type="submit">${texts.accept}</button>
        <button id="refuse" type="button">${texts.cancel}</button>
      </form>
    </div>
  </section>`;
}

function form(texts: ScrollTexts): Html {
  return html`<p id="padHelp">${texts.padHelp}</p>
    <form id="controls" novalidate>
      <fieldset>
        <legend>${texts.where}</legend>
        ${number('x', texts.x)} ${number('y', texts.y)}
        <button id="describe" type="button">${texts.describe}</button>
      </fieldset>
      <fieldset>
        <legend>${texts.amount}</legend>
        ${number('ticksSideways', texts.ticksSideways)} ${number('ticksUpDown', texts.ticksUpDown)}
      </fieldset>
      <fieldset class="directions">
        <legend>${texts.direction}</legend>
        ${(['up', 'top', 'left', 'right', 'down', 'bottom'] as const).map((direction) => arrow(direction, texts))}
      </fieldset>
      <fieldset class="keys">
        <legend>${texts.holdKeys}</legend>
        ${MODIFIERS.map(toggle)}
      </fieldset>
      <fieldset class="keys">
        <legend>${texts.title}</legend>
        <button id="giveKeys" type="button" aria-pressed="false">${texts.giveKeys}</button>
      </fieldset>
    </form>`;
}

/** Limits are set by the script, which learns the screen from the host. */
function number(id: string, label: string): Html {
  const error = `${id}Error`;
  return html`<div class="field">
    <label for="${id}">${label}</label>
    <input id="${id}" type="number" inputmode="numeric" step="1" disabled aria-describedby="${error}" />
    <span id="${error}" class="error" role="alert"></span>
  </div>`;
}

const ARROWS = { up: '↑', top: '⤒', down: '↓', bottom: '⤓', left: '←', right: '→' } as const;

function arrow(direction: keyof typeof ARROWS, texts: ScrollTexts): Html {
  return html`<button
    id="${direction}"
    type="button"
    disabled
    aria-label="${texts[direction]}"
    title="${texts[direction]}"
  >
    <span aria-hidden="true">${ARROWS[direction]}</span>
  </button>`;
}

function toggle(modifier: Modifier): Html {
  return html`<button id="${modifier}" type="button" disabled aria-pressed="false">${KEY_NAMES[modifier]}</button>`;
}
