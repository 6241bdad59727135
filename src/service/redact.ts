/**
 * Hides what opens somebody's browser: bearer tokens, and the addresses of DevTools, WebDriver and live views, which carry a
 * token in their query. Everything that is logged or shown passes through here as a second net; code above should not put a
 * secret into a text in the first place.
 */

const HIDDEN = '[hidden]';

const PATTERNS: readonly [RegExp, string][] = [
  // Authorization: Bearer abc
  [/\b(bearer)\s+[^\s"',;]+/gi, `$1 ${HIDDEN}`],
  // Any websocket address: on this service they are all credentials.
  [/\bwss?:\/\/[^\s"'<>)\]}]+/gi, `ws://${HIDDEN}`],
  // ?jwt=…&token=… in other addresses, and "token": "…" in JSON.
  [/([?&](?:jwt|token|access_token|api_key|key)=)[^&\s"'<>)]+/gi, `$1${HIDDEN}`],
  [
    /("(?:token|jwt|authorization|api_key|access_token|cdp_ws_url|webdriver_ws_url|browser_live_view_url)"\s*:\s*")[^"]*/gi,
    `$1${HIDDEN}`,
  ],
  // A bare JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, HIDDEN],
];

/** `text` without anything that looks like a credential, and without each of `secrets`. */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length > 0) result = result.split(secret).join(HIDDEN);
  }
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}
