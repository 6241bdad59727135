import { randomBytes } from 'node:crypto';

/** Bytes to send: in memory, or a Blob (`fs.openAsBlob` gives one for a file) that is read as it goes out. */
export type Content = Uint8Array | Blob;

/**
 * Called while a body goes out, with the bytes that the connection has taken so far and the length of the whole body,
 * multipart boundaries included. All bytes sent does not mean that the service has dealt with them.
 */
export type UploadProgress = (sentBytes: number, totalBytes: number) => void;

/** One part of a multipart body, in the order of sending. A part with `fileName` is a file. */
export type Part = { name: string; value: string } | FilePart;

export interface FilePart {
  name: string;
  fileName: string;
  content: Content;
  contentType?: string;
}

/** A body that goes out piece by piece. */
export type StreamedBody = { kind: 'multipart'; parts: readonly Part[] } | { kind: 'bytes'; content: Content };

export type Body = { kind: 'json'; value: unknown } | StreamedBody;

/** A body as bytes: its media type, its length, and the bytes piece by piece. */
export interface EncodedBody {
  contentType: string;
  length: number;
  pieces: () => AsyncGenerator<Uint8Array, void, undefined>;
}

/** Bytes in memory go out in pieces of this size, so that progress shows and nothing is copied. */
const PIECE_BYTES = 64 * 1024;

/** Encodes `body`. Content is never held twice: pieces of memory are views, a Blob is read when its turn comes. */
export function encodeBody(body: StreamedBody): EncodedBody {
  return body.kind === 'bytes'
    ? encodeContents('application/octet-stream', [body.content])
    : encodeMultipart(body.parts);
}

/** `multipart/form-data` (RFC 7578), its names escaped as browsers do (HTML standard, "multipart form data"). */
function encodeMultipart(parts: readonly Part[]): EncodedBody {
  const boundary = `----sideload-${randomBytes(16).toString('hex')}`;
  const text = new TextEncoder();
  const contents: Content[] = [];
  for (const part of parts) {
    const disposition = `--${boundary}\r\nContent-Disposition: form-data; name="${escaped(part.name)}"`;
    if ('fileName' in part) {
      const type = part.contentType ?? 'application/octet-stream';
      contents.push(
        text.encode(`${disposition}; filename="${escaped(part.fileName)}"\r\nContent-Type: ${type}\r\n\r\n`),
        part.content,
        text.encode('\r\n'),
      );
    } else {
      contents.push(text.encode(`${disposition}\r\n\r\n${part.value}\r\n`));
    }
  }
  contents.push(text.encode(`--${boundary}--\r\n`));
  return encodeContents(`multipart/form-data; boundary=${boundary}`, contents);
}

function escaped(name: string): string {
  return name.replace(/\r/g, '%0D').replace(/\n/g, '%0A').replace(/"/g, '%22');
}

function encodeContents(contentType: string, contents: readonly Content[]): EncodedBody {
  const length = contents.reduce((sum, content) => sum + lengthOf(content), 0);
  return {
    contentType,
    length,
    pieces: async function* () {
      for (const content of contents) yield* piecesOf(content);
    },
  };
}

function lengthOf(content: Content): number {
  return content instanceof Uint8Array ? content.byteLength : content.size;
}

async function* piecesOf(content: Content): AsyncGenerator<Uint8Array, void, undefined> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.byteLength; at += PIECE_BYTES) yield content.subarray(at, at + PIECE_BYTES);
  } else {
    yield* content.stream();
  }
}
