import type { Protocol } from '../protocol/connect';

/** A picture of a page. */
export interface PageFrame {
  /** The number of its stream, with which it is acknowledged when it was drawn: the browser has at most two frames under way. */
  stream: number;
  /** JPEG in base64. */
  base64: string;
  /** Size of the page's viewport in CSS pixels of a page that is not zoomed, which are the coordinates of its input. */
  width: number;
  height: number;
  /** How far the page is scrolled, in its CSS pixels. */
  scrollX: number;
  scrollY: number;
}

/** A dialog by which a page blocks itself. */
export interface PageDialog {
  type: Protocol.Page.DialogType;
  /** The address of the page, or of the frame in it, that shows the dialog. */
  url: string;
  message: string;
  /** What the field of a prompt holds at first. */
  prompt: string;
}

/** A page asks for files. */
export interface FileChooser {
  /** The field for them; undefined where a script asks without one. */
  backendNodeId: number | undefined;
  isMultiple: boolean;
}

/** What a field for files takes. */
export interface FileField {
  /** Whether it takes a folder with all that is in it. */
  isFolder: boolean;
  /** The extensions that it wants, without a dot; empty for any. */
  extensions: string[];
}

/** What a page reports by itself. */
export interface PageEvents {
  onFrame: (frame: PageFrame) => void;
  /** A dialog was opened; undefined when it was closed, by the screen or otherwise. */
  onDialog: (dialog: PageDialog | undefined) => void;
  /** The page asks for files; without this, the browser itself answers it, where it can. */
  onFileChooser?: (chooser: FileChooser) => void;
  /** The page was navigated, has begun or ended loading, or is no longer in front. */
  onChange: () => void;
}

/** The history of a tab, as far as the screen shows it. */
export interface PageHistory {
  url: string;
  title: string;
  canGoBack: boolean;
  canGoForward: boolean;
}

/** The size of a picture, in device pixels. */
export interface PictureSize {
  width: number;
  height: number;
}
