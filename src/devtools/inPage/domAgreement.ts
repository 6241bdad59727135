import type {
  FieldElement,
  FrameElement,
  ListElement,
  OptionElement,
  OptionGroup,
  PageDocument,
  PageElement,
  PageGlobals,
} from './pageDom';

/** `Real`, which compiles only if it is what `pageDom.ts` says. */
type Agrees<Ours, Real extends Ours> = Real;

/** The types of the DOM that agree with those of `pageDom.ts`. */
export type Agreements = [
  Agrees<PageElement, Element>,
  Agrees<PageDocument, Document>,
  Agrees<FrameElement, HTMLIFrameElement>,
  Agrees<ListElement, HTMLSelectElement>,
  Agrees<OptionElement, HTMLOptionElement>,
  Agrees<OptionGroup, HTMLOptGroupElement>,
  Agrees<FieldElement, HTMLInputElement>,
  Agrees<Pick<PageGlobals, 'addEventListener' | 'location'>, Window>,
];
