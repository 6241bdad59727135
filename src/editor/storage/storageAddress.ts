import { createHash } from 'node:crypto';
import { Uri } from 'vscode';
import type { LoadedExtension } from '../../devtools/protocol/loadedExtensions';
import { STORAGE_AREAS, type StorageArea } from '../../devtools/storage/extensionStorage';
import { STORAGE_SCHEME } from '../../ids';
import type { Browser } from '../../service/model';
import { shortened } from '../../base/units';
import { browserLabel } from '../lists/labels';
import { plainText } from '../plainText';

/** Longest name in a path, in characters. */
const NAME_LENGTH = 60;

/** Length of the mark of a service, in characters. */
const MARK_LENGTH = 12;

/** The storage of an extension in a browser. */
export interface StorageOwner {
  /** The mark of the service that the browser is of: others may have one with the same id. */
  service: string;
  browserId: string;
  extensionId: string;
}

/** One area of it. */
export interface StorageAddress extends StorageOwner {
  area: StorageArea;
}

/** Marks the documents of the service that a key identifies, without telling its address. */
export function serviceMark(key: string): string {
  return createHash('sha256').update(key).digest('hex').slice(0, MARK_LENGTH);
}

/** The address of a document: the names are for people, the ids in the query count. `service`: the mark of the service in use. */
export function storageUri(service: string, browser: Browser, { id, name }: LoadedExtension, area: StorageArea): Uri {
  const path = `/${pathSegment(browserLabel(browser))}/${pathSegment(name)}/${area}.json`;
  return Uri.from({ scheme: STORAGE_SCHEME, path, query: `${browser.id}/${id}/${service}` });
}

/** What a document shows; undefined for an address that is none of such a document. */
export function addressOf({ scheme, path, query }: Uri): StorageAddress | undefined {
  const area = STORAGE_AREAS.find((one) => path.endsWith(`/${one}.json`));
  const [browserId, extensionId, service, ...rest] = query.split('/');
  if (scheme !== STORAGE_SCHEME || !area || !browserId || !/^[a-p]{32}$/.test(extensionId ?? '')) return undefined;
  if (extensionId === undefined || service === undefined || rest.length > 0) return undefined;
  return { service, browserId, extensionId, area };
}

function pathSegment(name: string): string {
  const segment = shortened(plainText(name), NAME_LENGTH).replaceAll(/[\\/]/g, '_').trim();
  return /^\.*$/.test(segment) ? '_' : segment;
}
