import type { JsonPath } from '../finding';
import type { JsonNode } from '../json/node';
import type { PackageFacts } from '../packageFacts';
import { grantedPermissions } from '../rules/permissions';
import type { Requested } from './requested';

/** What a packaged app asks for of sockets, by its permission and by its key. */
export function requestedSockets(facts: PackageFacts): Requested[] {
  const values = grantedPermissions(facts).filter(({ name }) => name === 'socket');
  const ofPermission = values.flatMap(({ value, path }) =>
    textsIn(value).flatMap(({ text }) => {
      const [operation = '', ...address] = text.split(':');
      return ADDRESSED_OPERATIONS.has(operation) ? socketOf(address.join(':'), text, path) : [];
    }),
  );
  const ofKey = ADDRESSED_KEYS.flatMap(([protocol, operation]) => {
    const path = ['sockets', protocol, operation];
    return textsIn(facts.manifest.at(...path)).flatMap(({ text, steps }) => socketOf(text, text, [...path, ...steps]));
  });
  return [...ofPermission, ...ofKey];
}

/** Operations of the permission with addresses. */
const ADDRESSED_OPERATIONS: ReadonlySet<string> = new Set(['tcp-connect', 'tcp-listen', 'udp-bind', 'udp-send-to']);

/** Members of the key `sockets` with addresses. */
const ADDRESSED_KEYS = [
  ['udp', 'bind'],
  ['udp', 'send'],
  ['tcp', 'connect'],
  ['tcpServer', 'listen'],
] as const;

/** A text, or those of a list. */
function textsIn(node: JsonNode | undefined): { text: string; steps: JsonPath }[] {
  if (node?.kind === 'string') return [{ text: node.value, steps: [] }];
  if (node?.kind !== 'list') return [];
  return node.items.flatMap((item, index) => (item.kind === 'string' ? [{ text: item.value, steps: [index] }] : []));
}

function socketOf(address: string, written: string, path: JsonPath): Requested[] {
  const [host = ''] = address.split(':');
  if (host === '' || host === '*') return [{ id: 'socketAnyHost', parameter: '', path, written }];
  if (host.startsWith('*.')) return [{ id: 'socketDomain', parameter: host.slice(2), path, written }];
  return [{ id: 'socketHost', parameter: host, path, written }];
}
