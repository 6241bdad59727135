import * as l10n from '@vscode/l10n';
import { proposing, type Proposal } from '../proposal';
import { ruleOf, type Context } from '../rule';
import { isForAllSites } from '../use/hostUse';
import { readPattern, showPattern, type MatchPattern } from '../values/matchPattern';

const KEY = 'web_accessible_resources';

/** R-STORE-WAR: files that every site may load, and by which it finds out that the extension is there. Sideload's own. */
export const wideResourceRule = ruleOf('R-STORE-WAR', 'delivery', function* (context) {
  const { manifest, options, manifestVersion } = context;
  if (!options.storeHints || manifestVersion < 3) return;
  for (const index of manifest.itemsAt(KEY).keys()) {
    const path = [KEY, index, 'matches'];
    const wide = manifest.stringsAt(...path).findIndex((text) => isWide(readPattern(text)));
    if (wide < 0) continue;
    const message = l10n.t(
      'Every site can load these files, and find out by them that the extension is installed. The Chrome Web Store publishes no reason for this, but its review asks for narrow access: name the sites that need them.',
    );
    yield proposing({ severity: 'hint' as const, message, path: [...path, wide] }, narrower(context, path));
  }
});

/** The sites of the content scripts, where those are only some. */
function narrower({ manifest }: Context, at: Proposal['at']): Proposal | undefined {
  const scripts = manifest.itemsAt('content_scripts').keys();
  const patterns = [...scripts].flatMap((index) =>
    manifest.stringsAt('content_scripts', index, 'matches').map((text) => readPattern(text)),
  );
  if (patterns.length === 0 || patterns.some(isWide)) return undefined;
  const sites = patterns.flatMap((pattern) => (pattern ? showPattern({ ...pattern, path: '/*' }) : []));
  return { do: 'replace', by: [...new Set(sites)], ...(at && { at }), isGuess: true };
}

function isWide(pattern: MatchPattern | undefined): boolean {
  return pattern !== undefined && isForAllSites(pattern);
}
