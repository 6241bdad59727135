import type { ScreenHostMessage, StreamState } from '../screenMessages';
import { fixedSize, isSizeName, type SizeName } from '../pageSizes';
import { element } from './elements';
import { post, remember, stateNow, texts } from './host';

type View = Extract<ScreenHostMessage, { kind: 'view' }>;

/** What the toolbar offers only while DevTools is connected. */
const CONNECTED_BUTTONS = ['back', 'forward', 'reload', 'newTab', 'record'] as const;

/** The toolbar and the tabs: where the browser is, and where it should go. */
export class Toolbar {
  readonly #address = element('address', HTMLInputElement);
  readonly #tabs = element('tabs', HTMLElement);
  readonly #size = element('size', HTMLSelectElement);
  readonly #reload = element('reload', HTMLButtonElement);
  readonly #whole = element('whole', HTMLButtonElement);
  readonly #rotate = element('rotate', HTMLButtonElement);
  readonly #onSize: () => void;
  #view: View | undefined;
  /** The tab in front when the bar was drawn last. */
  #front: string | undefined;
  #isPage = false;

  /**
   * `onWhole` is called when the user has chosen another picture, before the host is asked for it; `onSize` when another size was chosen and
   * is kept.
   */
  constructor({ onWhole, onSize }: { onWhole: () => void; onSize: () => void }) {
    this.#onSize = onSize;
    const press = (id: string, act: () => void): void => element(id, HTMLButtonElement).addEventListener('click', act);
    press('back', () => post({ kind: 'history', by: -1 }));
    press('forward', () => post({ kind: 'history', by: 1 }));
    press('reload', () => post({ kind: 'history', by: 0 }));
    press('newTab', () => post({ kind: 'newTab' }));
    press('openPopup', () => post({ kind: 'openPopup' }));
    press('savePicture', () => post({ kind: 'savePicture' }));
    press('whole', () => {
      const isOn = !stateNow().isWhole;
      this.showWhole({ isOffered: true, isOn });
      onWhole();
      post({ kind: 'whole', isOn });
    });
    press('closeSurface', () => post({ kind: 'closeSurface' }));
    press('rotate', () => this.chooseSize(stateNow().size, !stateNow().isRotated));
    this.#size.addEventListener('change', () => {
      if (isSizeName(this.#size.value)) this.chooseSize(this.#size.value, stateNow().isRotated);
    });
    this.#showSize();
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

  chooseSize(size: SizeName, isRotated: boolean): void {
    remember({ size, isRotated });
    this.#showSize();
    this.#onSize();
  }

  /** Whether the whole screen can be shown, and is. */
  showWhole({ isOffered, isOn }: { isOffered: boolean; isOn: boolean }): void {
    remember({ isWhole: isOn });
    this.#whole.hidden = !isOffered;
    this.#whole.setAttribute('aria-pressed', String(isOn));
  }

  /** Switches on what is possible now: with the whole screen all but the size of the page. */
  set state(state: StreamState) {
    this.#isPage = state === 'live' || state === 'waiting';
    const isConnected = this.#isPage || state === 'whole';
    for (const id of CONNECTED_BUTTONS) element(id, HTMLButtonElement).disabled = !isConnected;
    this.#address.disabled = !isConnected;
    this.#showSize();
    element('savePicture', HTMLButtonElement).disabled = state === 'controls';
    if (!isConnected) {
      this.#view = undefined;
      this.#tabs.replaceChildren();
    }
  }

  show(view: View): void {
    this.#view = view;
    if (document.activeElement !== this.#address) this.#address.value = view.address;
    element('back', HTMLButtonElement).disabled = !view.canGoBack;
    element('forward', HTMLButtonElement).disabled = !view.canGoForward;
    this.#reload.classList.toggle('busy', view.isLoading);
    this.#drawTabs(view);
  }

  #showSize(): void {
    const { size, isRotated } = stateNow();
    this.#size.value = size;
    this.#size.disabled = !this.#isPage;
    this.#rotate.disabled = !this.#isPage || fixedSize(size, { isRotated: false }) === undefined;
    this.#rotate.setAttribute('aria-pressed', String(isRotated));
  }

  #drawTabs({ tabs }: View): void {
    // Without the focus, the editor next to this page would lose it.
    const hadFocus = document.hasFocus() && this.#tabs.contains(document.activeElement);
    const focused = hadFocus ? document.activeElement?.id : undefined;
    const front = tabs.find(({ isFront }) => isFront)?.id;
    // A person who has scrolled the bar goes on looking at what is there.
    const follows = front !== this.#front || this.#beyond() === 0;
    const { scrollLeft } = this.#tabs;
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
    this.#front = front;
    this.#tabs.scrollLeft = scrollLeft;
    if (follows) this.#tabs.scrollLeft += this.#beyond();
    if (focused !== undefined) document.getElementById(focused)?.focus();
  }

  /** By how much the bar must be scrolled so that the tab in front is in sight, in CSS pixels. */
  #beyond(): number {
    const tab = this.#tabs.querySelector('[aria-selected="true"]')?.getBoundingClientRect();
    const bar = this.#tabs.getBoundingClientRect();
    if (!tab) return 0;
    const beyond = tab.left < bar.left ? tab.left - bar.left : Math.max(0, tab.right - bar.right);
    // A bar that is scrolled to its end may leave a part of a pixel out of sight, since its width is a whole number.
    return Math.abs(beyond) < 1 ? 0 : Math.sign(beyond) * Math.ceil(Math.abs(beyond));
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
