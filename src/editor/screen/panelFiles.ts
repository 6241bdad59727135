import * as l10n from '@vscode/l10n';
import type { Uri } from 'vscode';
import type { FileChooser } from '../../devtools/pages/pageModel';
import type { PageScreen } from '../../devtools/screen/pageScreen';
import type { RemoteScreen } from '../../devtools/screen/remoteScreen';
import type { HostMessage } from '../../screen/protocol';
import type { RecordAct } from '../../screen/screenMessages';
import type { BrowserService } from '../../service/browserService';
import type { Browser } from '../../service/model';
import { UserError } from '../errorTexts';
import type { GivenFiles } from './givenFiles';
import { Recordings, savePicture } from './screenFiles';
import { WantedRecording } from './wantedRecording';

export interface PanelFilesOptions {
  /** Where recordings are until they are saved. */
  storage: Uri;
  client: () => Promise<BrowserService>;
  /** The files that pages have got. */
  given: GivenFiles;
  browser: () => Browser | undefined;
  /** The live connection; undefined while there is none. */
  screen: () => RemoteScreen | undefined;
  /** Whether the panel shows pictures of the service. */
  isByService: () => boolean;
  post: (message: HostMessage) => Promise<void>;
}

/** The files of a panel: pictures and recordings that it saves, and files that are given to a page. */
export class PanelFiles {
  readonly recordings: Recordings;
  readonly #wanted = new WantedRecording((act) => this.options.post({ kind: 'record', act }));

  constructor(private readonly options: PanelFilesOptions) {
    this.recordings = new Recordings(options.storage, options.browser, () => {
      void options.post({ kind: 'record', act: 'stop' });
    });
  }

  /**
   * Saves a picture of what the browser shows; asks for the file unless it is given.
   * @throws UserError while the page shows a dialog, behind which Chromium takes no picture of it (C-PAGE-DIALOG)
   */
  async savePicture(file?: Uri): Promise<void> {
    const { browser, screen, isByService, client } = this.options;
    const shown = browser();
    if (!shown) return;
    const page = isByService() ? undefined : screen()?.page('page');
    if (page?.dialog) {
      throw new UserError(l10n.t('There is no picture of a page that shows a dialog. Answer the dialog first.'));
    }
    const png = await (page?.picture() ?? (await client()).screenshot(shown.id));
    await savePicture(png, shown, file);
  }

  /** Begins or ends a recording of the picture. `file`: where it is saved, instead of asking. */
  async record(act: RecordAct, file?: Uri): Promise<void> {
    this.recordings.file = file ?? this.recordings.file;
    await this.#wanted.ask(act);
  }

  /** The page shows the browser. */
  async shown(): Promise<void> {
    await this.#wanted.shown();
  }

  /** The page is dropped, also without another word, and with it the rest of a recording: what there is is saved. */
  async hidden(): Promise<void> {
    this.#wanted.hidden();
    await this.recordings.add(new Uint8Array(), { isLast: true });
  }

  /** Another browser is about to be shown. */
  async leave(): Promise<void> {
    this.recordings.forget();
    await this.#wanted.drop();
  }

  /** Lets the user pick files for a page that asks for some. */
  async give(page: PageScreen, chooser: FileChooser): Promise<void> {
    const { browser, client, given, post } = this.options;
    const shown = browser();
    if (!shown) return;
    const { giveFiles } = await import('./fileChooser');
    const message = await giveFiles(chooser, { page, browser: shown, client, given });
    if (message !== undefined) await post({ kind: 'notice', message, gone: false });
  }
}
