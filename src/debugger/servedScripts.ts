import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { dataOf } from '../base/dataUrl';
import { isAtPort, loopbackPort } from '../base/loopback';
import { type JsonLimits, isWithinLimits } from '../base/jsonLimits';
import { isObject, listField, objectOf, textField } from '../base/fields';
import { urlOf } from '../base/url';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import { findSourceFileNow, type SourceFolders } from '../sources/sourceFiles';
import { messageText, type RelayMessage } from './relayMessage';

const SCRIPT_PARSED = 'Debugger.scriptParsed';

/** The beginning of the address of a source map that is in the script. */
const INLINE = 'data:';

/** What is read of a map, which any script may bring: lists of names, and sections with maps of their own. */
const MAP_LIMITS: JsonLimits = { depth: 20, values: 1_000_000 };

/**
 * The scripts that development servers give, as VS Code's debugger gets them. It looks for the source of a script by the path of its address in the
 * extension folder, whichever server that is on, and so finds none, or a file of the build. Their maps name the files of the workspace instead.
 */
export class ServedScripts {
  constructor(
    private readonly extensionId: string,
    private readonly folders: SourceFolders,
    /** A map at a path of a server, as an address of data, that a browser elsewhere got without: no server knows that path. */
    private readonly cutMap: (path: string) => string | undefined = () => undefined,
  ) {}

  /** The event of a script, changed where its map is; every other message as it is. */
  shown(message: RelayMessage): RelayMessage {
    if (message.method !== SCRIPT_PARSED) return message;
    const { method, sessionId, params } = message;
    const [url, map] = [textField(params, 'url'), textField(params, 'sourceMapURL')];
    const changed = this.#mapOf(url, map);
    if (changed === map) return message;
    return {
      ...message,
      text: messageText({ method, sessionId, params: { ...objectOf(params), sourceMapURL: changed } }),
    };
  }

  /** The address of the map of a script; empty when the debugger must not ask for it. */
  #mapOf(url: string, map: string): string {
    if (map.startsWith(INLINE)) return this.#isServed(url) ? (this.#withFiles(map, url) ?? map) : map;
    // A page may name any address on this computer, which the debugger would ask.
    const script = urlOf(url);
    const asked = urlOf(map, script);
    if (!asked || loopbackPort(asked.href) === undefined) return map;
    if (!isAtPort(url, this.folders.servers?.()) || script?.origin !== asked.origin) return '';
    const cut = this.cutMap(asked.pathname);
    return cut === undefined ? map : this.#mapOf(url, cut);
  }

  /** Whether a server has given a script; CRXJS gives those of its pages addresses in the extension, of files that the build does not have. */
  #isServed(url: string): boolean {
    if (isAtPort(url, this.folders.servers?.())) return true;
    const path = pathInExtension(url, this.extensionId);
    return path !== undefined && path !== '' && !existsSync(join(this.folders.folder, path));
  }

  /** A map with the addresses of the files of its sources, where there are such; undefined when it cannot be read. */
  #withFiles(map: string, script: string): string | undefined {
    const read = readInline(map);
    // A map of several sections names its sources in those; no development server writes such.
    if (!read || !Array.isArray(read['sources'])) return undefined;
    const root = textField(read, 'sourceRoot');
    const sources = listField(read, 'sources').map((source) => {
      if (typeof source !== 'string') return source;
      const raw = root === '' ? source : `${root.replace(/\/$/, '')}/${source}`;
      const resolved = urlOf(raw, script)?.href ?? raw;
      const file = findSourceFileNow({ raw, resolved }, this.folders);
      return file === undefined ? resolved : pathToFileURL(file).href;
    });
    const changed = JSON.stringify({ ...read, sourceRoot: '', sources });
    return `${INLINE}application/json;base64,${Buffer.from(changed).toString('base64')}`;
  }
}

/** The source map in an address of data; undefined for one that is none. */
function readInline(address: string): Record<string, unknown> | undefined {
  const text = dataOf(address)?.toString('utf8') ?? '';
  if (!isWithinLimits(text, MAP_LIMITS)) return undefined;
  try {
    const map: unknown = JSON.parse(text);
    return isObject(map) ? map : undefined;
  } catch {
    return undefined;
  }
}
