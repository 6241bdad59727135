/**
 * Hides credentials: bearer tokens, and the URLs of DevTools, WebDriver and live views, which have a token in their query. All logged and
 * shown texts pass through here as a safety net; code should not put secrets into texts in the first place.
 */

const HIDDEN = '[hidden]';

/** The longest result, in characters. What is shown is far shorter. */
const LONGEST_RESULT = 20_000;

/** How much of a text is read, in characters: so much more than the result that a credential cut in two is not in the result. */
const LONGEST_INPUT = 5 * LONGEST_RESULT;

/**
 * What credentials look like, and what replaces them. The time of each expression is linear in the length of the text: none can begin
 * again inside of what it has read in vain.
 */
export const CREDENTIALS: readonly { pattern: RegExp; replacement: string }[] = [
  // Authorization: Bearer abc
  { pattern: /\b(bearer)\s+[^\s"',;]+/gi, replacement: `$1 ${HIDDEN}` },
  // Any websocket URL: those of this service are credentials.
  { pattern: /\bwss?:\/\/[^\s"'<>)\]}]+/gi, replacement: `ws://${HIDDEN}` },
  // ?jwt=…&token=… in other URLs, as HTML and JSON write the ampersand, too.
  {
    pattern: /((?:[?&](?:amp;)?|\\u0026)(?:jwt|token|access_token|api_key|key)=)[^&\s"'<>)]+/gi,
    replacement: `$1${HIDDEN}`,
  },
  // "token": "…" in JSON, also in JSON that is a text of another one: a value ends at a quotation mark that is escaped as the one of its beginning.
  {
    pattern:
      /((?<!\\)\\*"(?:token|jwt|authorization|api_key|access_token|cdp_ws_url|webdriver_ws_url|browser_live_view_url|devToolsUrl|webDriverUrl|liveViewUrl)\\*"\s*:\s*(\\*)")[^"\\]*(?:(?!\2")\\+"?[^"\\]*)*/gi,
    replacement: `$1${HIDDEN}`,
  },
  // A bare JSON Web Token. After `\b` instead, it could begin at each hyphen of a long word.
  { pattern: /(?<![\w-])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*/g, replacement: HIDDEN },
];

/**
 * `text` without everything that looks like a credential, and without `secrets`. A text of more than 20,000 characters is cut and ends
 * with an ellipsis then.
 */
export function redact(text: string, secrets: Iterable<string> = []): string {
  let result = text.slice(0, LONGEST_INPUT);
  for (const secret of secrets) {
    if (secret.length > 0) result = result.split(secret).join(HIDDEN);
  }
  for (const { pattern, replacement } of CREDENTIALS) result = result.replace(pattern, replacement);
  return result.length > LONGEST_RESULT ? `${result.slice(0, LONGEST_RESULT)}…` : result;
}
