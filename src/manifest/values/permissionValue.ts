import type { JsonNode } from '../json/node';
import { isSocketPattern } from './socketPattern';

/** Kinds of sockets, and whether a host and a port follow. */
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

const MAX_USB_ID = 0xffff;
const MAX_INTERFACE_CLASS = 0xff;

/** Permissions that require a list, with the test of an item. */
export const VALUED_PERMISSIONS: ReadonlyMap<string, (item: JsonNode) => boolean> = new Map([
  ['socket', isSocket],
  ['usbDevices', isUsbDevice],
]);

/** `tcp-connect`, `tcp-connect:*.example.com` or `tcp-connect:*:80`. */
function isSocket(item: JsonNode): boolean {
  if (item.kind !== 'string') return false;
  const [type = '', ...address] = item.value.split(':');
  const takesAddress = SOCKET_TYPES.get(type);
  if (takesAddress === undefined) return false;
  return takesAddress ? isSocketPattern(address.join(':'), { takesAddress: true }) : address.length === 0;
}

/** A product of a vendor, or a class of interfaces, which Chromium accepts even when it is not a number. */
function isUsbDevice(item: JsonNode): boolean {
  if (item.kind !== 'dictionary') return false;
  const number = (name: string): number | undefined => {
    const value = item.members.get(name)?.value;
    return value?.kind === 'integer' ? value.value : undefined;
  };
  const isWithin = (name: string, least: number, most: number): boolean => {
    const value = number(name) ?? least;
    return value >= least && value <= most;
  };
  const isRight =
    isWithin('vendorId', 0, MAX_USB_ID) &&
    isWithin('productId', 0, MAX_USB_ID) &&
    isWithin('interfaceId', 0, Infinity) &&
    isWithin('interfaceClass', 0, MAX_INTERFACE_CLASS);
  if (!isRight) return false;
  if (number('productId') !== undefined) return number('vendorId') !== undefined;
  return item.members.has('interfaceClass');
}
