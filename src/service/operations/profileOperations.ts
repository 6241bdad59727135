import { jsonOf } from '../decode/answer';
import { decodeProfile } from '../decode/decode';
import type { Profile } from '../model';
import { get, jsonBody, remove, type Operation } from './operation';
import type { List } from './pagedRequest';

/** Filters of a list of profiles: `name` exactly, `query` as a part of id or name. */
export interface ProfileQuery {
  name?: string;
  query?: string;
}

/** `GET /profiles` */
export function listProfiles(query: ProfileQuery): List<Profile> {
  return {
    name: 'listProfiles',
    path: ['profiles'],
    query: { ...query },
    item: decodeProfile,
    idOf: (profile) => profile.id,
  };
}

/** `POST /profiles`: the profile; undefined where the service answers with an empty body. */
export function createProfile(name: string | undefined, signal?: AbortSignal): Operation<Profile | undefined> {
  return {
    name: 'createProfile',
    signal,
    method: 'POST',
    path: ['profiles'],
    body: jsonBody(name === undefined ? {} : { name }),
    read: (response) => (response.bytes.length === 0 ? undefined : decodeProfile(jsonOf(response))),
  };
}

/** `GET /profiles/{id_or_name}` */
export function getProfile(idOrName: string, signal?: AbortSignal): Operation<Profile> {
  return { ...get('getProfile', ['profiles', idOrName], (response) => decodeProfile(jsonOf(response))), signal };
}

/** `PATCH /profiles/{id_or_name}` */
export function renameProfile(idOrName: string, name: string, signal?: AbortSignal): Operation<Profile> {
  return {
    name: 'renameProfile',
    signal,
    method: 'PATCH',
    path: ['profiles', idOrName],
    body: jsonBody({ name }),
    read: (response) => decodeProfile(jsonOf(response)),
  };
}

/** `DELETE /profiles/{id_or_name}` */
export function deleteProfile(idOrName: string, signal?: AbortSignal): Operation<void> {
  return { ...remove('deleteProfile', ['profiles', idOrName]), signal };
}
