import { isUtf8 } from 'node:buffer';
import { STATUS_CODES } from 'node:http';
import type { Protocol } from '../devtools/protocol/connect';
import type { DigestPages } from './digestPages';
import type { Answer, ForwardFault } from './forward';
import type { InlineMaps } from './inlineMaps';
import type { ModuleHints } from './moduleHints';
import { headerText, type PausedRequest } from './pausedRequest';
import { pageWithSocketShim, type ShimOptions, withSocketShim } from './socketShim';

const SCRIPT = /^(?:text|application)\/(?:x-)?(?:java|ecma)script\b/i;
const STYLE = /^text\/css\b/i;
const PAGE = /^text\/html\b/i;
/** Another encoding would not survive the change. */
const OTHER_CHARSET = /;\s*charset="?(?!utf-?8\b)/i;

/** The status of an answer to a request with a range. */
const PARTIAL_CONTENT = 206;

/**
 * The command that answers a paused request; headers go byte by byte, whatever their servers have written them in (C-FETCH-HEADERS), and the status
 * text as UTF-8. Without one, Chromium takes the usual one, and refuses a status that has none (C-FETCH-PHRASE).
 */
export function fulfilmentOf(
  requestId: string,
  { status, statusText, headers, body }: Answer,
): Protocol.Fetch.FulfillRequestRequest {
  const lines = headers.map(({ name, value }) => `${name}: ${value}`);
  return {
    requestId,
    responseCode: status,
    responsePhrase: statusText === '' ? ' ' : headerText(statusText),
    binaryResponseHeaders: Buffer.from(lines.join('\0'), 'latin1').toString('base64'),
    body: body.toString('base64'),
  };
}

/** What answers are changed by. */
export interface Changes {
  readonly shim: ShimOptions;
  /** Source maps stay where they are without it. */
  readonly maps: InlineMaps | undefined;
  readonly hints: ModuleHints;
  readonly digests: DigestPages;
}

/**
 * An answer whose scripts have their websockets carried, whose source maps are cut out, and of which a page names all modules that it is going to
 * import; others as they are, also those that the browser may compare with a digest.
 */
export function changedAnswer(request: PausedRequest, answer: Answer, { shim, maps, hints, digests }: Changes): Answer {
  const { resourceType, url } = request;
  // A part of a script or page is not one: what is put in would stand in the middle, and the range would be another.
  if (answer.status === PARTIAL_CONTENT) return answer;
  const type = answer.headers.find(({ name }) => name.toLowerCase() === 'content-type')?.value ?? '';
  if (OTHER_CHARSET.test(type)) return answer;
  const isPage = resourceType === 'Document' && PAGE.test(type);
  const isScript = SCRIPT.test(type);
  if (!isPage && !isScript && !STYLE.test(type)) return answer;
  if (digests.mayCompare(request)) return answer;
  // Bytes of another encoding, which only the page itself names, stay as they are: what is put in has none beyond ASCII.
  const encoding = isUtf8(answer.body) ? 'utf8' : 'latin1';
  const text = answer.body.toString(encoding);
  const short = isPage ? text : (maps?.cutFrom(text, url.origin) ?? text);
  if (isScript) void hints.note(url, short);
  if (isPage) digests.note(url, text);
  const changed = isPage ? pageWithSocketShim(short, shim) : isScript ? withSocketShim(short, shim) : short;
  if (changed === text) return answer;
  const body = Buffer.from(changed, encoding);
  const links = isPage ? hints.of(url, text).map((address) => `<${address}>; rel=modulepreload`) : [];
  const headers = answer.headers.map((header) =>
    header.name.toLowerCase() === 'content-length' ? { ...header, value: String(body.length) } : header,
  );
  if (links.length > 0) headers.push({ name: 'link', value: links.join(', ') });
  return { ...answer, headers, body };
}

/** The answer to who asks for a source map that was cut out. */
export function mapAnswer(body: Buffer): Answer {
  const headers = [
    { name: 'content-type', value: 'application/json' },
    { name: 'access-control-allow-origin', value: '*' },
  ];
  return { status: 200, statusText: '', headers, body };
}

/** The answer to a request that a bridge cannot carry, as a text that says why. */
export function faultAnswer(fault: ForwardFault, { url }: PausedRequest): Answer {
  const texts: Partial<Record<ForwardFault, string>> = {
    tooLarge: 'Sideload sends the browser at most 32 MB for one request.',
    timeout: 'The server has not answered within 30 s.',
    fileUpload: "Files of the browser's computer cannot be sent to localhost.",
  };
  const headers = [
    { name: 'content-type', value: 'text/plain; charset=utf-8' },
    { name: 'access-control-allow-origin', value: '*' },
  ];
  const body = Buffer.from(`${url.origin}: ${texts[fault] ?? fault}\n`, 'utf8');
  const status = fault === 'timeout' ? 504 : 502;
  return { status, statusText: STATUS_CODES[status] ?? '', headers, body };
}
