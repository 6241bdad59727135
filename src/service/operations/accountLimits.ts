import { jsonOf } from '../decode/answer';
import { decodeAccountLimits, decodeProjectLimit } from '../decode/decode';
import type { ConcurrencyLimits } from '../model';
import { get, type Operation } from './operation';

/** `GET /org/limits` */
export function getAccountLimits(signal?: AbortSignal): Operation<ConcurrencyLimits> {
  return { ...get('getAccountLimits', ['org', 'limits'], (response) => decodeAccountLimits(jsonOf(response))), signal };
}

/** `GET /org/projects/{id_or_name}/limits`: undefined where the project has no limit of its own. */
export function getProjectLimit(project: string, signal?: AbortSignal): Operation<number | undefined> {
  const path = ['org', 'projects', project, 'limits'];
  return { ...get('getProjectLimit', path, (response) => decodeProjectLimit(jsonOf(response))), signal };
}
