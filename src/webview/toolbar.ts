import type { ScreenHostMessage } from '../scroll/screenMessages';
import { isSizeName } from '../scroll/state';
import { element } from './elements';
import { keep, post, stateNow, texts } from './host';

type View = Extract<ScreenHostMessage, { kind: 'view' }>;

/** What the toolbar offers only with a live picture. */
const LIVE_BUTTONS = ['back', 'forward', 'reload', 'newTab', 'rotate', 'record'] as const;

/** The toolbar and the tabs: where the browser is, and where it should go. */
export class Toolbar {
  readonly #address = element('address', HTMLInputElement);
  readonly #tabs = element('tabs', HTMLElement);
  readonly #size = element('size', HTMLSelectElement);
  readonly #reload = element('reload', HTMLButtonElement);
  #view: View | undefined;

  constructor() {
    const press = (id: string, act: () => void): void => {
      element(id, HTMLButtonElement).addEventListener('click', act);
    };
    press('back', () => post({ kind: 'history', by: -1 }));
    press('forward', () => post({ kind: 'history', by: 1 }));
    press('reload', () => post({ kind: 'history', by: 0 }));
    press('newTab', () => post({ kind: 'newTab' }));
    press('openPopup', () => post({ kind: 'openPopup' }));
    press('savePicture', () => post({ kind: 'savePicture' }));
    press('closeSurface', () => post({ kind: 'closeSurface' }));
    press('rotate', () => {
      keep({ isRotated: !stateNow().isRotated });
      this.#sendSize();
    });
    this.#size.value = stateNow().size;
    this.#size.addEventListener('change', () => {
      if (isSizeName(this.#size.value)) keep({ size: this.#size.value });
      this.#sendSize();
    });
    this.#address.addEventListener('keydown', (event) => {
      if (event.key === 'Enter' && !event.isComposing) {
        post({ kind: 'address', text: this.#address.value });
        this.#address.select();
      }
    });
    this.#address.addEventListener('focus', () => this.#address.select());
    this.#address.addEventListener('blur', () => {
      this.#address.value = this.#view?.address ?? '';
    });
    this.#tabs.addEventListener('keydown', (event) => this.#moveFocus(event));
  }

  /** Whether an extension was pushed to the browser, whose popup can be opened. */
  set hasExtension(hasExtension: boolean) {
    element('openPopup', HTMLButtonElement).disabled = !hasExtension;
  }

  /** Switches on what needs a live picture. */
  set isLive(isLive: boolean) {
    for (const id of LIVE_BUTTONS) element(id, HTMLButtonElement).disabled = !isLive;
    this.#address.disabled = !isLive;
    this.#size.disabled = !isLive;
    if (!isLive) {
      this.#view = undefined;
      this.#tabs.replaceChildren();
      return;
    }
    // A size ends with the connection.
    if (stateNow().size !== 'window') this.#sendSize();
  }

  show(view: View): void {
    this.#view = view;
    if (document.activeElement !== this.#address) this.#address.value = view.address;
    element('back', HTMLButtonElement).disabled = !view.canGoBack;
    element('forward', HTMLButtonElement).disabled = !view.canGoForward;
    this.#reload.classList.toggle('busy', view.isLoading);
    this.#drawTabs(view);
  }

  #sendSize(): void {
    const { size, isRotated } = stateNow();
    element('rotate', HTMLButtonElement).setAttribute('aria-pressed', String(isRotated));
    post({ kind: 'size', size, isRotated });
  }

  #drawTabs({ tabs }: View): void {
    const focused = this.#tabs.contains(document.activeElement) ? document.activeElement?.id : undefined;
    const rows = tabs.map(({ id, title, isFront }) => {
      const tab = document.createElement('button');
      tab.type = 'button';
      tab.id = `tab-${id}`;
      tab.textContent = title;
      tab.title = title;
      tab.tabIndex = isFront ? 0 : -1;
      tab.setAttribute('role', 'tab');
      tab.setAttribute('aria-selected', String(isFront));
      tab.addEventListener('click', () => post({ kind: 'tab', act: 'show', id }));
      tab.addEventListener('auxclick', (event) => {
        if (event.button === 1) post({ kind: 'tab', act: 'close', id });
      });
      tab.setAttribute('aria-description', `Delete: ${texts.closeTab}`);
      return tab;
    });
    this.#tabs.replaceChildren(...rows);
    if (focused !== undefined) document.getElementById(focused)?.focus();
  }

  /** As in other lists of tabs: arrows move, Delete closes. */
  #moveFocus(event: KeyboardEvent): void {
    const tabs = [...this.#tabs.querySelectorAll('button')];
    const at = tabs.findIndex((tab) => tab === document.activeElement);
    if (at < 0) return;
    const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    if (by !== undefined) tabs[(at + by + tabs.length) % tabs.length]?.focus();
    const id = this.#view?.tabs[at]?.id;
    if (event.key === 'Delete' && id !== undefined) post({ kind: 'tab', act: 'close', id });
  }
}
