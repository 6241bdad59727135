import type { BrowserPool, Profile, StoredExtension, Viewport } from '../../../service/model';
import type { Choice } from '../../notify';

/** The options so far, with the records that their texts name. */
export interface Draft {
  name: string;
  pool?: BrowserPool | undefined;
  profile?: Profile | undefined;
  /** Whether the browser saves its state to the profile when it ends. */
  savesProfile?: boolean | undefined;
  viewport?: Viewport | undefined;
  headless?: boolean | undefined;
  timeoutSeconds?: number | undefined;
  region?: string | undefined;
  memory?: string | undefined;
  startUrl: string;
  extensions: readonly StoredExtension[];
}

/** A line of the list of options. */
export interface Option extends Choice {
  /** Changes the draft; absent of the line that starts the browser. */
  edit?: () => Promise<void>;
}
