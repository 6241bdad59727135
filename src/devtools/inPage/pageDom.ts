/**
 * The parts of the DOM that functions of this folder use. `domAgreement.ts` is compiled with the DOM's own types and holds these to them; the host's
 * code, which imports the functions, has no DOM.
 */
export interface PageElement {
  localName: string;
  clientLeft: number;
  clientTop: number;
  parentElement: PageElement | null;
  shadowRoot: PageRoot | null;
  getBoundingClientRect(): { x: number; y: number; left: number; top: number; width: number; height: number };
  matches(selectors: string): boolean;
  dispatchEvent(event: Event): boolean;
}

/** What is selected, as text. */
interface PageSelection {
  toString(): string;
}

/** A document or a shadow tree. */
export interface PageRoot {
  activeElement: PageElement | null;
  /** Shadow trees have it in Chromium alone. */
  getSelection?(): PageSelection | null;
}

/** The document of a page. */
export interface PageDocument extends PageRoot {
  readyState: 'loading' | 'interactive' | 'complete';
  visibilityState: 'visible' | 'hidden';
  getSelection(): PageSelection | null;
}

/** A frame; null of one whose site is another. */
export interface FrameElement extends PageElement {
  contentDocument: PageDocument | null;
}

/** An entry of a list. */
export interface OptionElement extends PageElement {
  label: string;
  disabled: boolean;
}

/** A group of entries. */
export interface OptionGroup extends PageElement {
  label: string;
  disabled: boolean;
}

/** A list to choose from. */
export interface ListElement extends PageElement {
  options: Iterable<OptionElement>;
  selectedIndex: number;
}

/** A field. */
export interface FieldElement extends PageElement {
  type: string;
  value: string;
  min: string;
  max: string;
  step: string;
  selectionStart: number | null;
  selectionEnd: number | null;
}

/** The events of the wheel that are noted. */
export interface WheelTurn {
  defaultPrevented: boolean;
}

/** What pages have of the global functions. */
export interface PageGlobals {
  getComputedStyle(element: PageElement): { appearance: string; display: string };
  addEventListener(
    type: 'wheel',
    listener: (event: WheelTurn) => void,
    options: { capture: boolean; once: boolean; passive: boolean },
  ): void;
  location: { protocol: string; href: string };
}
