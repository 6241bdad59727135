import * as l10n from '@vscode/l10n';
import type { JsonNode } from '../json/node';
import { refusal, shapeRefusal } from '../refusal';
import { keyRule, type Report } from '../rule';
import { populate } from '../shape/populate';
import { dictionary, INTEGER, listOf } from '../shape/shape';
import { isSocketPattern } from '../values/socketPattern';

/** The operations of each kind of socket, and whether they take an address. */
const OPERATIONS: readonly [string, string, boolean][] = [
  ['udp', 'bind', true],
  ['udp', 'send', true],
  ['udp', 'multicastMembership', false],
  ['tcp', 'connect', true],
  ['tcpServer', 'listen', true],
];

/** R-SOCKETS: hosts and ports that an app may connect to. Measured on Chromium 156. */
export const socketRule = keyRule('R-SOCKETS', 'sockets', (sockets, { manifest }) => {
  const kinds = [...new Set(OPERATIONS.map(([kind]) => `${kind}?`))];
  const fault = populate(sockets, dictionary(Object.fromEntries(kinds.map((kind) => [kind, dictionary({})]))));
  if (fault) return shapeRefusal({ ...fault, path: ['sockets', ...fault.path] });
  return OPERATIONS.flatMap(([kind, operation, takesAddress]): Report | Report[] => {
    const path = ['sockets', kind, operation];
    const node = manifest.at(...path);
    const text = node && patternFault(node, takesAddress);
    if (text === undefined) return [];
    const message = l10n.t('"{0}" has to be an address such as "*.example.com:80", or a list of them.', operation);
    return refusal(text, message, path);
  });
});

function patternFault(node: JsonNode, takesAddress: boolean): string | undefined {
  const items = node.kind === 'list' ? node.items : [node];
  const patterns: string[] = [];
  for (const [index, item] of items.entries()) {
    if (item.kind === 'string') patterns.push(item.value);
    else if (node.kind !== 'list') return `expected string or strings, got ${item.kind}`;
    else return `Error at key 'strings': Parsing array failed at index ${index}: expected string, got ${item.kind}`;
  }
  const wrong = patterns.find((pattern) => !isSocketPattern(pattern, { takesAddress }));
  return wrong === undefined ? undefined : `Invalid host:port pattern '${wrong}'`;
}

const PRINTERS = dictionary({
  filters: listOf(dictionary({ vendorId: INTEGER, 'productId?': INTEGER, 'interfaceClass?': INTEGER })),
});

/** R-PRINTERS: printers that an app may use. Measured on Chromium 156. */
export const usbPrinterRule = keyRule('R-PRINTERS', 'usb_printers', (node, { manifest }) => {
  const fault = populate(node, PRINTERS);
  if (fault) return shapeRefusal({ ...fault, path: ['usb_printers', ...fault.path] });
  return manifest.itemsAt('usb_printers', 'filters').flatMap((item, index): Report | Report[] => {
    if (item.kind !== 'dictionary' || !item.members.has('productId') || !item.members.has('interfaceClass')) return [];
    const text = 'Only one of productId or interfaceClass may be specified.';
    const path = ['usb_printers', 'filters', index];
    const message = l10n.t('A filter has either "productId" or "interfaceClass". Remove one of the two.');
    return refusal(text, message, path, { fix: { do: 'remove', at: [...path, 'interfaceClass'], isGuess: true } });
  });
});
