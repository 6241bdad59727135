import { jsonOf } from '../decode/answer';
import { decodeProfile } from '../decode/decode';
import type { Profile } from '../model';
import type { HttpResponse } from '../wire/http';
import { get, remove, send, type Operation } from './operation';
import type { List, NameQuery } from './pagedRequest';

function readProfile(response: HttpResponse): Profile {
  return decodeProfile(jsonOf(response));
}

/** `GET /profiles` */
export function listProfiles(query: NameQuery): List<Profile> {
  return { name: 'listProfiles', path: ['profiles'], query: { ...query }, item: decodeProfile };
}

/** `POST /profiles`: the profile; undefined where the service answers with an empty body. */
export function createProfile(name: string | undefined, signal?: AbortSignal): Operation<Profile | undefined> {
  const read = (response: HttpResponse): Profile | undefined =>
    response.bytes.length === 0 ? undefined : readProfile(response);
  return { ...send('createProfile', 'POST', ['profiles'], { name }, read), signal };
}

/** `GET /profiles/{id_or_name}` */
export function getProfile(idOrName: string, signal?: AbortSignal): Operation<Profile> {
  return { ...get('getProfile', ['profiles', idOrName], readProfile), signal };
}

/** `PATCH /profiles/{id_or_name}` */
export function renameProfile(idOrName: string, name: string, signal?: AbortSignal): Operation<Profile> {
  return { ...send('renameProfile', 'PATCH', ['profiles', idOrName], { name }, readProfile), signal };
}

/** `DELETE /profiles/{id_or_name}` */
export function deleteProfile(idOrName: string, signal?: AbortSignal): Operation<void> {
  return { ...remove('deleteProfile', ['profiles', idOrName]), signal };
}
