import type { Frame } from 'playwright-core';

/** Red, green and blue from 0 to 255. */
export type Colour = readonly [number, number, number];

/** The colours of an element as they are drawn: mixed with what is behind it, by alpha and by the opacity of the element. */
export interface DrawnColours {
  readonly text: Colour;
  readonly background: Colour;
  /** Behind the element. */
  readonly around: Colour;
  readonly outline: Colour;
  /** Width of the focus ring, in CSS pixels; 0 without one. */
  readonly outlineWidth: number;
  /** Whether the check mark in front of the text is shown. */
  readonly hasMark: boolean;
}

const READ_COLOURS = `(element) => {
  const canvas = new OffscreenCanvas(1, 1).getContext('2d');
  const rgba = (css) => {
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = css;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = ([r, g, b, a], below, opacity = 1) =>
    [r, g, b].map((part, index) => part * a * opacity + below[index] * (1 - a * opacity));
  const behind = (node) => {
    if (!node) return [255, 255, 255];
    return over(rgba(getComputedStyle(node).backgroundColor), behind(node.parentElement));
  };
  const style = getComputedStyle(element);
  const around = behind(element.parentElement);
  const solid = over(rgba(style.backgroundColor), around);
  const opacity = Number(style.opacity);
  return {
    text: over([...over(rgba(style.color), solid), 1], around, opacity),
    background: over([...solid, 1], around, opacity),
    around,
    outline: over(rgba(style.outlineColor), around),
    outlineWidth: style.outlineStyle === 'none' ? 0 : parseFloat(style.outlineWidth),
    hasMark: getComputedStyle(element, '::before').visibility === 'visible' && getComputedStyle(element, '::before').content !== 'none',
  };
}`;

/** The colours of the first element of a selector now. */
export function drawnColours(frame: Frame, selector: string): Promise<DrawnColours> {
  return frame.evaluate<DrawnColours>(`(${READ_COLOURS})(document.querySelector(${JSON.stringify(selector)}))`);
}

/** The contrast ratio of two colours by WCAG 2: from 1, the same, to 21, black and white. */
export function contrast(one: Colour, other: Colour): number {
  const [dark, light] = [luminance(one), luminance(other)].sort((a, b) => a - b);
  return ((light ?? 0) + 0.05) / ((dark ?? 0) + 0.05);
}

function luminance([red, green, blue]: Colour): number {
  return 0.2126 * linear(red) + 0.7152 * linear(green) + 0.0722 * linear(blue);
}

function linear(part: number): number {
  const share = part / 255;
  return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
}
