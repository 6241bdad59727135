const HEADER = '-----BEGIN';
const HEADER_END = 'KEY-----';
const FOOTER = '-----END';

/** True for base64, bare or in a PEM block, whatever it encodes. Source: Extension::ParsePEMKeyBytes of Chromium, R-KEY measured. */
export function isPemKey(text: string): boolean {
  const base64 = text.startsWith(HEADER) ? blockOf(text) : text;
  // An expression for the whole key would need a stack that grows with it.
  const digits = base64.endsWith('==') ? base64.slice(0, -2) : base64.endsWith('=') ? base64.slice(0, -1) : base64;
  return base64 !== '' && base64.length % 4 === 0 && !/[^A-Za-z0-9+/]/.test(digits);
}

/** The content of a PEM block; empty without one. White space that contains a line break is removed, as in Chromium. */
function blockOf(text: string): string {
  const joined = text.trim().replace(/\s+/g, (space) => (/[\r\n]/.test(space) ? '' : ' '));
  const start = joined.indexOf(HEADER_END, HEADER.length);
  const end = joined.lastIndexOf(FOOTER);
  return start < 0 || end < start ? '' : joined.slice(start + HEADER_END.length, end);
}
