/**
 * Hides credentials: bearer tokens, and the URLs of DevTools, WebDriver and live views, which have a token in their query. All logged and
 * shown texts pass through here as a safety net; code should not put secrets into texts in the first place.
 */

const HIDDEN = '[hidden]';

const PATTERNS: readonly [RegExp, string][] = [
  // Authorization: Bearer abc
  [/\b(bearer)\s+[^\s"',;]+/gi, `$1 ${HIDDEN}`],
  // Any websocket URL: those of this service are credentials.
  [/\bwss?:\/\/[^\s"'<>)\]}]+/gi, `ws://${HIDDEN}`],
  // ?jwt=…&token=… in other URLs, and "token": "…" in JSON.
  [/([?&](?:jwt|token|access_token|api_key|key)=)[^&\s"'<>)]+/gi, `$1${HIDDEN}`],
  [
    /("(?:token|jwt|authorization|api_key|access_token|cdp_ws_url|webdriver_ws_url|browser_live_view_url)"\s*:\s*")[^"]*/gi,
    `$1${HIDDEN}`,
  ],
  // A bare JSON Web Token.
  [/\beyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, HIDDEN],
];

/** `text` without everything that looks like a credential, and without `secrets`. */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let result = text;
  for (const secret of secrets) {
    if (secret.length > 0) result = result.split(secret).join(HIDDEN);
  }
  for (const [pattern, replacement] of PATTERNS) result = result.replace(pattern, replacement);
  return result;
}
