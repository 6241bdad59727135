import { Uri } from 'vscode';
import type { LoadedExtension } from '../../devtools/extensions';
import { STORAGE_AREAS, type StorageArea } from '../../devtools/storage';
import { STORAGE_SCHEME } from '../../ids';
import type { BrowserSession } from '../../service/model';
import { shortened } from '../../units';
import { browserLabel } from '../lists/labels';
import { plainText } from '../plainText';

/** Longest name in a path, in characters. */
const NAME_LENGTH = 60;

/** The storage of an extension in a browser. */
export interface StorageOwner {
  sessionId: string;
  extensionId: string;
}

/** One area of it. */
export interface StorageAddress extends StorageOwner {
  area: StorageArea;
}

/** The address of a document: the names are for people, the ids in the query count. */
export function storageUri(session: BrowserSession, { id, name }: LoadedExtension, area: StorageArea): Uri {
  const path = `/${pathPart(browserLabel(session))}/${pathPart(name)}/${area}.json`;
  return Uri.from({ scheme: STORAGE_SCHEME, path, query: `${session.session_id}/${id}` });
}

/** What a document shows; undefined for an address that is none of such a document. */
export function addressOf({ scheme, path, query }: Uri): StorageAddress | undefined {
  const area = STORAGE_AREAS.find((one) => path.endsWith(`/${one}.json`));
  const [sessionId, extensionId, ...rest] = query.split('/');
  if (scheme !== STORAGE_SCHEME || !area || !sessionId || !/^[a-p]{32}$/.test(extensionId ?? '')) return undefined;
  return extensionId === undefined || rest.length > 0 ? undefined : { sessionId, extensionId, area };
}

function pathPart(name: string): string {
  const part = shortened(plainText(name), NAME_LENGTH).replaceAll(/[\\/]/g, '_').trim();
  return /^\.*$/.test(part) ? '_' : part;
}
