import * as l10n from '@vscode/l10n';
import { shortened } from '../../base/units';
import { ruleOf, type Context, type Report } from '../rule';
import type { RemoteCode } from '../use/codeFacts';
import { pageFile } from '../values/resource';
import { codeOf, sourceAt } from './declaredUses';

/** Longest address in a message, in characters. */
const MAX_SHOWN = 200;

/** So many addresses are reported of a file. */
const MAX_OF_FILE = 20;

const WEB_ADDRESS = /^(https?:)?\/\//i;

/** Why the store refuses code from elsewhere. Source: the additional requirements for manifest version 3 of its policies. */
function reason(): string {
  return l10n.t('The Chrome Web Store refuses code that is not in the package (Blue Argon).');
}

/** R-STORE-REMOTE: scripts, imports and texts from elsewhere that run as code. Sideload's own. */
export const remoteCodeRule = ruleOf('R-STORE-REMOTE', 'delivery', async function* (context) {
  if (!isAsked(context)) return;
  const { pages, scripts } = await codeOf(context);
  const sandboxed = new Set(context.manifest.stringsAt('sandbox', 'pages').map(pageFile));
  for (const page of pages) {
    // A sandboxed page has no access to the API, and may load what it likes.
    if (sandboxed.has(page.path)) continue;
    for (const { address, isScript, start, end } of page.references) {
      if (isScript && WEB_ADDRESS.test(address)) yield hint(loads(address), sourceAt(page, { start, end }));
    }
  }
  for (const script of scripts) {
    for (const remote of script.facts.remote)
      if (remote.way !== 'address') yield hint(messageOf(remote), sourceAt(script, remote));
  }
});

/** R-STORE-ADDRESS: addresses of scripts in texts, which the store's review finds also where nothing loads them. Sideload's own. */
export const scriptAddressRule = ruleOf('R-STORE-ADDRESS', 'delivery', async function* (context) {
  if (!isAsked(context)) return;
  for (const script of (await codeOf(context)).scripts) {
    const addresses = script.facts.remote.filter(({ way }) => way === 'address');
    for (const remote of addresses.slice(0, MAX_OF_FILE)) {
      const message = l10n.t(
        'The text holds the address of a script: {0}. The Chrome Web Store has refused extensions for such addresses, also where nothing loads them (Blue Argon).',
        shortened(remote.address, MAX_SHOWN),
      );
      yield hint(message, sourceAt(script, remote));
    }
  }
});

function isAsked({ options }: Context): boolean {
  return options.storeHints && options.readsCode;
}

function messageOf({ way, address }: RemoteCode): string {
  if (way === 'evaluated') return `${l10n.t('This runs text from a server as code.')} ${reason()}`;
  if (way === 'element') return loads(address);
  return `${l10n.t('This imports code from {0}.', shortened(address, MAX_SHOWN))} ${reason()}`;
}

function loads(address: string): string {
  return `${l10n.t('This loads a script from {0}.', shortened(address, MAX_SHOWN))} ${reason()}`;
}

function hint(message: string, place: ReturnType<typeof sourceAt>): Report {
  return { severity: 'hint', message, ...place };
}
