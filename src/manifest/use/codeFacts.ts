/** A place in a script: offsets in UTF-16 code units. */
export interface Spot {
  start: number;
  end: number;
}

/** A member of the API in a script. */
export interface ApiSpot extends Spot {
  /** False where only the name says that it is the API, as in `tabs.query` of a variable that was imported. */
  isSure: boolean;
}

/** A way in which code may reach parts of the API that reading it does not show. */
export type HiddenWay = 'computed' | 'passed' | 'evaluated' | 'wasm' | 'loaded' | 'unread';

/** How a script runs code from elsewhere. */
export type RemoteWay = 'import' | 'importScripts' | 'element' | 'evaluated' | 'address';

/** Code from elsewhere: its address, which is empty of a text that was fetched. */
export interface RemoteCode extends Spot {
  way: RemoteWay;
  address: string;
}

/** What reading a script shows, each by its first place. */
export interface CodeFacts {
  /** Members of the extension API by their path, such as `storage.local.get`. */
  api: ReadonlyMap<string, ApiSpot>;
  /** Uses of the platform that matter, by their names in `permissionUse.json` and in `codeMarks.ts`. */
  marks: ReadonlyMap<string, Spot>;
  hidden: ReadonlyMap<HiddenWay, Spot>;
  /** Names under which a script exports the API itself. */
  exportsApi: ReadonlySet<string>;
  /** Names of other scripts' exports, or whatever has such a name, of which a member is computed or which go where they are not followed. */
  open: ReadonlyMap<string, Spot>;
  remote: readonly RemoteCode[];
  /** Web addresses in texts. */
  addresses: ReadonlyMap<string, Spot>;
  /** Texts that may be names of files, and specifiers of imports. */
  files: ReadonlySet<string>;
}
