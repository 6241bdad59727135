import assert from 'node:assert/strict';
import {
  describePicker,
  fillFocused,
  focusedElement,
  isPickerOpen,
  stepsTo,
} from '../../../../src/devtools/inPage/pickerCalls';
import { FakePage } from '../../../support/fakePage';

const TYPES = ['date', 'color'];

/** An element in memory: what a test says of it, at a place in its frame. */
class FakeElement {
  readonly events: { type: string; bubbles: boolean; composed: boolean }[] = [];
  readonly shadowRoot: object | null = null;
  readonly parentElement: object | null = null;
  readonly clientLeft = 1;
  readonly clientTop = 2;
  isOpen = false;
  box = { x: 10, y: 20, left: 10, top: 20, width: 100, height: 30 };

  constructor(
    readonly localName: string,
    fields: object = {},
  ) {
    Object.assign(this, fields);
  }

  getBoundingClientRect(): FakeElement['box'] {
    return this.box;
  }

  matches(selectors: string): boolean {
    return selectors === ':open' && this.isOpen;
  }

  dispatchEvent({ type, bubbles, composed }: Event): boolean {
    this.events.push({ type, bubbles, composed });
    return true;
  }
}

/** A field, whose class has the setter of its value. */
class FakeField extends FakeElement {
  static readonly written: string[] = [];

  constructor(fields: object) {
    super('input', fields);
  }

  get value(): string {
    return '2026-01-02';
  }

  set value(value: string) {
    FakeField.written.push(value);
  }
}

describe('the list or field that has the focus', () => {
  let page: FakePage;

  const show = (activeElement: FakeElement | null, appearance = 'auto'): void => {
    page = new FakePage({
      document: { activeElement },
      Event,
      getComputedStyle: (of: FakeElement & { display?: string }) => ({ appearance, display: of.display ?? 'block' }),
    });
  };

  /** What is focused, without the elements. */
  const focused = async (): Promise<object> => {
    const { element, left, top, list, field, isOpen } = page.handle(focusedElement, TYPES);
    const kind = list ? 'list' : field ? 'field' : 'other';
    return Promise.resolve({ name: element?.localName, left, top, kind, isOpen });
  };

  it('is found in frames and shadow trees, with the place of its frame', async () => {
    const select = new FakeElement('select', { isOpen: true });
    const inShadow = new FakeElement('my-list', { shadowRoot: { activeElement: select } });
    show(new FakeElement('iframe', { contentDocument: { activeElement: inShadow } }));
    assert.deepEqual(await focused(), { name: 'select', left: 11, top: 22, kind: 'list', isOpen: true });
    show(new FakeElement('iframe', { contentDocument: null }));
    assert.deepEqual(await focused(), { name: 'iframe', left: 0, top: 0, kind: 'other', isOpen: false });
    show(null);
    assert.deepEqual(await focused(), { name: undefined, left: 0, top: 0, kind: 'other', isOpen: false });
  });

  it('is a field only with a picker, and a list only when Chromium draws it', async () => {
    show(new FakeField({ type: 'date' }));
    assert.deepEqual(await focused(), { name: 'input', left: 0, top: 0, kind: 'field', isOpen: false });
    show(new FakeField({ type: 'text', isOpen: true }));
    assert.deepEqual(await focused(), { name: 'input', left: 0, top: 0, kind: 'other', isOpen: false });
    show(new FakeElement('select', { isOpen: true }), 'base-select');
    assert.deepEqual(await focused(), { name: 'select', left: 0, top: 0, kind: 'other', isOpen: false });
  });

  it('may be open', async () => {
    show(new FakeElement('select', { isOpen: true }));
    assert.equal(await page.call(isPickerOpen, focusedElement, TYPES), true);
    show(new FakeElement('select'));
    assert.equal(await page.call(isPickerOpen, focusedElement, TYPES), false);
  });

  const group = new FakeElement('optgroup', { label: 'a group', disabled: true });
  const options = [
    new FakeElement('option', { label: 'one', disabled: false }),
    new FakeElement('option', { label: 'two', disabled: true }),
    new FakeElement('option', { label: 'three', disabled: false, parentElement: group }),
    new FakeElement('option', { label: 'four', disabled: false, display: 'none' }),
    new FakeElement('option', { label: 'a long one', disabled: false }),
  ];

  const describeIt = (most = 9, longest = 5): ReturnType<typeof describePicker> | Promise<unknown> =>
    page.call(describePicker, focusedElement, TYPES, most, longest);

  it('is described as a list when it is open, within the limits', async () => {
    const list = new FakeElement('select', { options, selectedIndex: 3, isOpen: true });
    show(new FakeElement('iframe', { contentDocument: { activeElement: list } }));
    const place = { x: 21, y: 42, width: 100, height: 30 };
    assert.deepEqual(await describeIt(4), {
      isOpen: true,
      picker: {
        ...place,
        kind: 'list',
        options: [
          { label: 'one', group: '', isDisabled: false, isHidden: false },
          { label: 'two', group: '', isDisabled: true, isHidden: false },
          { label: 'three', group: 'a gro', isDisabled: true, isHidden: false },
          { label: 'four', group: '', isDisabled: false, isHidden: true },
        ],
        index: 3,
      },
    });
    show(new FakeElement('select', { options }));
    assert.equal(await describeIt(), undefined);
  });

  it('is described as a field also when it is closed', async () => {
    show(new FakeField({ type: 'date', min: '2026-01-01', max: '', step: 'any' }));
    assert.deepEqual(await describeIt(), {
      isOpen: false,
      picker: {
        x: 10,
        y: 20,
        width: 100,
        height: 30,
        kind: 'field',
        type: 'date',
        value: '2026-',
        min: '2026-',
        max: '',
        step: 'any',
      },
    });
  });

  it('has so many entries before one that can be chosen by keys', async () => {
    const steps = (index: number): Promise<number | undefined> => page.call(stepsTo, focusedElement, TYPES, index);
    const none = [undefined, undefined, undefined];
    show(new FakeElement('select', { options, isOpen: true }));
    assert.deepEqual([await steps(0), await steps(1), await steps(2), await steps(3), await steps(4)], [0, ...none, 1]);
    show(new FakeElement('select', { options }));
    assert.equal(await steps(4), undefined);
  });

  it('is filled as a picker does, by the setter of its class', async () => {
    const field = new FakeField({ type: 'date' });
    show(field);
    await page.call(fillFocused, focusedElement, TYPES, '2026-03-04');
    assert.deepEqual(FakeField.written.splice(0), ['2026-03-04']);
    assert.deepEqual(field.events, [
      { type: 'input', bubbles: true, composed: true },
      { type: 'change', bubbles: true, composed: true },
    ]);
    show(new FakeField({ type: 'text' }));
    await page.call(fillFocused, focusedElement, TYPES, '2026-03-04');
    assert.deepEqual(FakeField.written, []);
  });
});
