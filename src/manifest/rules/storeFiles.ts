import * as l10n from '@vscode/l10n';
import { accessibleFiles } from '../accessibleFiles';
import { valueOf } from '../json/node';
import { MANIFEST_FILE } from '../load';
import { ruleOf, type Context } from '../rule';
import { codeOf } from './declaredUses';
import { deliveredFiles } from './delivery';

/** The largest source map that is read, in bytes. */
const MAX_MAP_BYTES = 32 * 1024 * 1024;

/** A source map with the texts of its sources. */
const HAS_SOURCES = /"sourcesContent"\s*:\s*\[(?:\s*null\s*,)*\s*"/;

/** Sources that a build compiles: a manifest or a page that names one is not what is published. */
const UNBUILT = /\.(tsx?|mts|cts|jsx|vue|svelte|scss|sass|less|styl|coffee)$/i;

/** A kind of file that hardly any extension needs when it runs. */
interface Kind {
  kind: () => string;
  /** Of their paths. */
  pattern: RegExp;
  /** Whether it is kept where web pages may load it: its name may be that of a kind by chance. */
  mayBeLoaded?: true;
}

/** A file `.gz` alone is none of them: dictionaries and models for a language come so. */
const KINDS: readonly Kind[] = [
  { kind: () => l10n.t('an environment file'), pattern: /(^|\/)\.env(\.[^/]*)?$|(^|\/)[^/]+\.env$/i },
  {
    kind: () => l10n.t('a key or certificate'),
    pattern: /\.(pem|p12|pfx|p8|key|jks|keystore|ppk)$|(^|\/)id_(rsa|dsa|ecdsa|ed25519)$/i,
  },
  {
    kind: () => l10n.t('an archive'),
    pattern: /\.(zip|crx|xpi|tar(\.(gz|bz2|xz|zst))?|tgz|7z|rar|vsix)$/i,
    mayBeLoaded: true,
  },
  {
    kind: () => l10n.t('a file of an editor'),
    pattern: /(^|\/)\.(vscode|idea|vs|fleet|zed)\/|\.(swp|swo|sublime-(project|workspace)|iml|code-workspace)$/i,
  },
  {
    kind: () => l10n.t('a file of version control or of a service for builds'),
    pattern: /(^|\/)\.(git|github|gitlab|circleci|husky)(\/|$)|(^|\/)\.git(ignore|attributes|modules)$/i,
  },
  { kind: () => l10n.t('a file of the operating system'), pattern: /(^|\/)(\.ds_store|thumbs\.db|desktop\.ini)$/i },
  {
    kind: () => l10n.t('a test'),
    pattern: /(^|\/)(__tests__|__mocks__|tests?|spec|e2e|coverage)\/|\.(test|spec)\.[cm]?[jt]sx?$/i,
    mayBeLoaded: true,
  },
  { kind: () => l10n.t('source code that browsers cannot run'), pattern: UNBUILT },
  {
    kind: () => l10n.t('a file of the development'),
    pattern:
      /(^|\/)(package(-lock)?\.json|yarn\.lock|pnpm-lock\.yaml|bun\.lockb?|tsconfig[^/]*\.json|[^/]+\.config\.[cm]?[jt]s|makefile|dockerfile|readme(\.[a-z]+)?|changelog\.md|contributing\.md|\.(editorconfig|prettierrc|eslintrc|npmrc|nvmrc|browserslistrc)(\.[a-z]+)?)$/i,
    mayBeLoaded: true,
  },
];

/** A pattern of accessible resources that says nothing of the files that it covers. */
const ALL_FILES = /^\/?\*+$/;

/** R-STORE-FILES: files in the package that the extension does not need when it runs. Sideload's own: the store publishes no reason. */
export const packageFileRule = ruleOf('R-STORE-FILES', 'delivery', async function* (context) {
  const { storeHints, readsCode, isNamed } = context.options;
  if (!storeHints || !readsCode) return;
  const { reached } = await codeOf(context);
  if ([...reached].some((path) => UNBUILT.test(path))) return;
  const isLoadable = accessibleFiles(valueOf(context.document.root), { except: ALL_FILES });
  for (const { path } of await deliveredFiles(context)) {
    if (path === MANIFEST_FILE || reached.has(path) || isNamed?.(path)) continue;
    const known = KINDS.find(({ pattern }) => pattern.test(path));
    if (known?.mayBeLoaded && isLoadable(path)) continue;
    const kind = known?.kind() ?? (await kindOfMap(context, path));
    if (kind === undefined) continue;
    const message = l10n.t(
      '{0} is {1}, which the extension does not need when it runs, and everyone who has it can read. The Chrome Web Store publishes no reason for this.',
      path,
      kind,
    );
    const title = l10n.t('Leave {0} out of pushes (sideload.exclude)', path);
    const fix = { do: 'setting', setting: { list: 'exclude', path }, title, isGuess: true } as const;
    yield { severity: 'hint', message, path: [], source: { file: path }, fix };
  }
});

async function kindOfMap({ folder }: Context, path: string): Promise<string | undefined> {
  if (!/\.map$/i.test(path)) return undefined;
  const content = await folder.read(path, MAX_MAP_BYTES);
  const hasSources = !('bytes' in content) || HAS_SOURCES.test(Buffer.from(content.bytes).toString('latin1'));
  return hasSources ? l10n.t('a source map with the texts of its sources') : undefined;
}
