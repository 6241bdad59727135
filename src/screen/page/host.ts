import type { PageMessage } from '../protocol';
import { decodeState, type ScrollState } from '../rememberedState';
import { decodeTexts } from '../screenTexts';

/** VS Code's interface for a page: messages to the host, and state that survives hiding. */
declare function acquireVsCodeApi(): {
  postMessage: (message: PageMessage) => void;
  getState: () => unknown;
  setState: (state: ScrollState) => void;
};

/** Whether the editor is on a Mac, whose shortcuts have Command. */
export const IS_MAC = navigator.userAgent.includes('Macintosh');

const api = acquireVsCodeApi();

/** The texts of the page, in the language of the editor. */
export const texts = decodeTexts(document.body.dataset['texts'] ?? '');

let state = decodeState(api.getState());

/** The state from before the page was hidden, and of now. */
export function stateNow(): ScrollState {
  return state;
}

/** Remembers a part of the state for the time after the page was hidden. */
export function remember(part: Partial<ScrollState>): void {
  state = { ...state, ...part };
  api.setState(state);
}

export function post(message: PageMessage): void {
  api.postMessage(message);
}
