import { KEYS, PERMISSIONS } from '../../src/manifest/availability';
import { LOCALES } from '../../src/manifest/locale/localeNames';
import type { Case } from './cases';

/** Fewer than the install warnings that Chromium keeps. */
const PERMISSIONS_PER_CASE = 50;

const BASE = { manifest_version: 3, name: 'Tables', version: '1' };

/** What makes a package of each kind, besides its name. */
const KINDS: Readonly<Record<string, object>> = {
  extension: {},
  'platform app': { app: { background: { scripts: ['b.js'] } } },
  'packaged app': { app: { launch: { local_path: 'a.html' } } },
  'system extension': { chromeos_system_extension: {} },
  'hosted app': { app: { urls: ['http://example.com/'], launch: { web_url: 'http://example.com/' } } },
};

/** Permissions that need a list of what they are for. */
const VALUES: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['socket', { socket: ['tcp-connect'] }],
  ['usbDevices', { usbDevices: [{ vendorId: 1, productId: 2 }] }],
]);

function tableCase(id: string, manifest: object, files: Case['files'] = {}): Case {
  return {
    id,
    files: { 'manifest.json': JSON.stringify({ ...BASE, ...manifest }), 'b.js': '', 'a.html': '', ...files },
  };
}

/** Cases that hold every entry of the tables against Chromium: what it says about them has to be what the tables say. */
export function* tableCases(): Generator<Case> {
  const names = [...PERMISSIONS.keys()];
  for (const [kind, extra] of Object.entries(KINDS)) {
    for (const list of ['permissions', 'optional_permissions']) {
      for (let at = 0; at < names.length; at += PERMISSIONS_PER_CASE) {
        const asked = names.slice(at, at + PERMISSIONS_PER_CASE).map((name) => VALUES.get(name) ?? name);
        yield tableCase(`${list} from ${at} on of a ${kind}`, { ...extra, [list]: asked });
      }
    }
    for (const key of KEYS.keys()) {
      if (!key.includes('.') && !(key in BASE)) yield tableCase(`${key} of a ${kind}`, { ...extra, [key]: null });
    }
  }
  for (const locale of LOCALES) {
    const messages = Object.fromEntries(
      [
        ['en', '{}'],
        [locale, '{}'],
      ].map(([name, text]) => [`_locales/${name}/messages.json`, text ?? '']),
    );
    yield tableCase(`the locale ${locale}`, { default_locale: locale }, messages);
  }
}
