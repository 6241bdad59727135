import * as l10n from '@vscode/l10n';
import type { JsonNode } from '../json/node';
import type { PackageType } from '../packageType';
import { invalidValue, refusal } from '../refusal';
import { keyRule, type Context, type Report } from '../rule';
import { WANTED } from '../wanted';

/** Directives that decide where code comes from. The first is required, unless its fallback is there. */
const CODE_DIRECTIVES = ['script-src', 'object-src', 'worker-src'] as const;
const FALLBACK = 'default-src';

/** Sources that allow only code of the extension. */
const SECURE_SOURCES: ReadonlySet<string> = new Set(["'self'", "'none'", "'wasm-unsafe-eval'"]);
const LOCAL_SOURCE = /^http:\/\/(localhost|127\.0\.0\.1)(:.*)?$/;

/** R-CSP-SHAPE, R-CSP-SRC, R-CSP-INSECURE and R-CSP-SANDBOX: policies per kind of page. Measured on Chromium 156. */
export const contentSecurityPolicyRule = keyRule('R-CSP-SHAPE', 'content_security_policy', (node, context) => {
  const key = 'content_security_policy';
  if (context.manifestVersion < 3 || context.packageType === 'platform app') {
    return node.kind === 'string' && !hasIllegalCharacter(node.value) ? [] : invalidValue(key, WANTED.string);
  }
  if (node.kind !== 'dictionary') return invalidValue(key, WANTED.policies);
  return [
    ...checkPages(node.members.get('extension_pages')?.value),
    ...checkSandbox(node.members.get('sandbox')?.value, context),
  ];
});

/** True with characters that are not allowed in a header, or would end the policy in it. */
function hasIllegalCharacter(policy: string): boolean {
  return !/^[\t\x20-\x2b\x2d-\x7e]*$/.test(policy);
}

function checkPages(node: JsonNode | undefined): Report[] {
  if (!node) return [];
  const key = 'content_security_policy.extension_pages';
  const path = key.split('.');
  if (node.kind !== 'string' || hasIllegalCharacter(node.value)) return [invalidValue(key, WANTED.policy)];
  const directives = parsePolicy(node.value);
  const scripts = directives.get('script-src') ?? directives.get(FALLBACK);
  if (!scripts) {
    const text = `'${key}': CSP directive 'script-src' must be specified (either explicitly, or implicitly via 'default-src') and must allowlist only secure resources.`;
    const by = ["script-src 'self'", node.value.trim()].filter((part) => part !== '').join('; ');
    return [
      refusal(text, l10n.t('The policy has no script-src. Add "script-src \'self\'".'), path, {
        fix: { do: 'replace', by },
        rule: 'R-CSP-SRC',
      }),
    ];
  }
  return CODE_DIRECTIVES.flatMap((name) =>
    (name === 'script-src' ? scripts : (directives.get(name) ?? []))
      .filter((source) => !isSecure(source))
      .map((source) => {
        const text = `'${key}': Insecure CSP value "${source}" in directive '${name}'.`;
        const message = l10n.t(
          'An extension may only run its own code: {0} may not contain {1}. Put the code in the folder.',
          name,
          source,
        );
        return refusal(text, message, path, { rule: 'R-CSP-INSECURE' });
      }),
  );
}

function isSecure(source: string): boolean {
  const lower = source.toLowerCase();
  return SECURE_SOURCES.has(lower) || LOCAL_SOURCE.test(lower);
}

/** Directives by their name in lower case; of two of the same name the first one counts. */
function parsePolicy(policy: string): Map<string, string[]> {
  const directives = new Map<string, string[]>();
  for (const directive of policy.split(';')) {
    const [name, ...sources] = directive.split(/[ \t\r\n\f]+/).filter((token) => token !== '');
    if (name !== undefined && !directives.has(name.toLowerCase())) directives.set(name.toLowerCase(), sources);
  }
  return directives;
}

/** The tokens of all `sandbox` directives, in lower case; undefined when there is none. */
function sandboxTokens(policy: string): string[] | undefined {
  const all = policy.split(';').map((directive) =>
    directive
      .toLowerCase()
      .split(/[ \t]+/)
      .filter((token) => token !== ''),
  );
  const directives = all.filter(([name]) => name === 'sandbox');
  return directives.length > 0 ? directives.flatMap(([, ...tokens]) => tokens) : undefined;
}

/** True for a policy that sandboxes pages. That of an app may not allow top navigation either. */
export function isSandboxPolicy(node: JsonNode, packageType?: PackageType): boolean {
  const tokens = node.kind === 'string' && !hasIllegalCharacter(node.value) ? sandboxTokens(node.value) : undefined;
  if (!tokens || tokens.includes('allow-same-origin')) return false;
  return packageType !== 'platform app' || !tokens.includes('allow-top-navigation');
}

function checkSandbox(node: JsonNode | undefined, { packageType }: Context): Report[] {
  if (!node || isSandboxPolicy(node, packageType)) return [];
  const key = 'content_security_policy.sandbox';
  return [{ ...invalidValue(key, WANTED.sandbox), rule: 'R-CSP-SANDBOX' }];
}
