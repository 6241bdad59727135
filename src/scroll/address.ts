/** Hosts that are this machine, for which there are no certificates. */
const LOCAL_HOST = /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])(?::\d+)?(?:[/?#]|$)/i;

/** A scheme, and not a host with a port. */
const SCHEME = /^[a-z][a-z0-9+.-]*:(?!\d+(?:[/?#]|$))/i;

/**
 * The address that a person means by what was typed into an address bar: with `https:` where a scheme is missing, and `http:` for this machine.
 * Undefined for what is no address, and for a script, which would run in the page that is open.
 */
export function addressOf(text: string): string | undefined {
  const typed = text.trim();
  if (/^javascript:/i.test(typed)) return undefined;
  if (SCHEME.test(typed)) return URL.canParse(typed) ? typed : undefined;
  const whole = `${LOCAL_HOST.test(typed) ? 'http' : 'https'}://${typed}`;
  return typed !== '' && !/\s/.test(typed) && URL.canParse(whole) ? whole : undefined;
}
