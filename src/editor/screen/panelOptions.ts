import type { Uri } from 'vscode';
import type { HiddenTargets } from '../../devtools/protocol/hiddenTargets';
import type { Browser } from '../../service/model';
import type { Log } from '../channelLog';
import type { ServiceConnection } from '../service/connection';
import type { GivenFiles } from './givenFiles';
import type { LastEditor } from './lastEditor';
import type { PanelHost } from './panelHost';
import type { ScrollChoices } from './scrollChoices';

/** What a panel with a screen needs of the window. */
export interface ScrollPanelOptions {
  place: PanelHost;
  /** The browser to show, where that is known already. */
  first: Browser | undefined;
  /** Otherwise it is asked for once the page can show it. Undefined when the user has not chosen any. */
  browser: () => Promise<Browser | undefined>;
  connection: ServiceConnection;
  /** What knows the hidden pages in a browser of the service in use. */
  hidden: (browser: Browser) => Promise<HiddenTargets>;
  /** Lets a browser reach an address of this computer; false when the person does not want it. */
  reach: (browser: Browser, address: string) => Promise<boolean>;
  log: Log;
  extensionUri: Uri;
  /** Where recordings are until they are saved. */
  storage: Uri;
  /** The files that pages have got. */
  given: GivenFiles;
  choices: ScrollChoices;
  lastEditor: LastEditor;
  /** Asks for another browser; undefined when the user backs out. */
  choose: () => Promise<Browser | undefined>;
  onClosed: () => void;
  /** The page was created and shows the browser; again when it was hidden meanwhile. */
  onShown: (browser: Browser) => void;
}
