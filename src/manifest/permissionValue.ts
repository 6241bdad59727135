import type { JsonNode } from './json/node';

/** Kinds of sockets, and whether they are followed by a host and a port. */
const SOCKET_TYPES: ReadonlyMap<string, boolean> = new Map([
  ['tcp-connect', true],
  ['tcp-listen', true],
  ['udp-bind', true],
  ['udp-send-to', true],
  ['udp-multicast-membership', false],
  ['resolve-host', false],
  ['resolve-proxy', false],
  ['network-state', false],
]);

const MAX_PORT = 65535;
const MAX_USB_ID = 0xffff;

/** Permissions that are nothing without a list of what they are for, each with what an item may be. */
export const VALUED_PERMISSIONS: ReadonlyMap<string, (item: JsonNode) => boolean> = new Map([
  ['socket', isSocket],
  ['usbDevices', isUsbDevice],
]);

/** `tcp-connect`, `tcp-connect:*.example.com` or `tcp-connect:*:80`. */
function isSocket(item: JsonNode): boolean {
  if (item.kind !== 'string') return false;
  const [type = '', host, port, ...rest] = item.value.split(':');
  const takesHost = SOCKET_TYPES.get(type);
  if (takesHost === undefined || rest.length > 0) return false;
  if (!takesHost) return host === undefined;
  const isHost = !host?.replace(/^\*(\.|$)/, '').includes('*');
  return (
    isHost && (port === undefined || port === '' || port === '*' || (/^\d+$/.test(port) && Number(port) <= MAX_PORT))
  );
}

function isUsbDevice(item: JsonNode): boolean {
  if (item.kind !== 'dictionary') return false;
  const isId = (name: string, isNeeded: boolean): boolean => {
    const value = item.members.get(name)?.value;
    if (!value) return !isNeeded;
    return value.kind === 'integer' && value.value >= 0 && value.value <= MAX_USB_ID;
  };
  return isId('vendorId', true) && isId('productId', true);
}
