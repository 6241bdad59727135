import { html, type Html } from './html';
import { KEY_NAMES, MODIFIERS, type Modifier } from './protocol';
import type { ScrollTexts } from './texts';

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
}

/**
 * The whole document of the scroll page. Its policy starts from nothing: one script with the nonce, styles of the editor's own source,
 * and pictures only from data in messages. Throws a RangeError for an invalid nonce.
 */
export function scrollPage({ nonce, scriptUri, styleUri, cspSource, language, texts }: ScrollPageOptions): string {
  if (!/^[A-Za-z0-9]{16,}$/.test(nonce)) throw new RangeError('The nonce must be 16 or more letters and digits.');
  const policy = `default-src 'none'; img-src data:; style-src ${cspSource}; script-src 'nonce-${nonce}'`;
  const page = html`<!doctype html>
    <html lang="${language}">
      <head>
        <meta charset="utf-8" />
        <meta http-equiv="Content-Security-Policy" content="${policy}" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <title>${texts.title}</title>
        <link rel="stylesheet" href="${styleUri}" />
      </head>
      <body data-texts="${JSON.stringify(texts)}">
        <header>
          <h1 id="browser">${texts.title}</h1>
          <p id="status">${texts.connecting}</p>
          <p id="roundTrip"></p>
          <button id="choose" type="button" hidden>${texts.chooseAnother}</button>
        </header>
        <main>
          ${pad(texts)}
          <form id="controls" novalidate>
            <fieldset>
              <legend>${texts.where}</legend>
              ${number('x', texts.x)} ${number('y', texts.y)}
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
          </form>
        </main>
        <p id="live" class="spoken" role="status" aria-live="polite"></p>
        <script nonce="${nonce}" src="${scriptUri}"></script>
      </body>
    </html>`;
  return page.text;
}

function pad(texts: ScrollTexts): Html {
  return html`<section class="screen">
    <div id="pad" tabindex="0" role="application" aria-label="${texts.pad}" aria-describedby="padHelp">
      <img id="picture" alt="${texts.noPicture}" draggable="false" />
      <span id="marker" aria-hidden="true" hidden></span>
    </div>
    <p id="padHelp">${texts.padHelp}</p>
    <button id="refresh" type="button" disabled>${texts.refresh}</button>
  </section>`;
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
