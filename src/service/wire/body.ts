import { randomBytes } from 'node:crypto';

/** Bytes to send: in memory, or a Blob (of a file with `fs.openAsBlob`) that is read while it is sent. */
export type Content = Uint8Array | Blob;

/**
 * Called while a body is sent, with the bytes that the connection has accepted so far and the length of the whole body, including multipart
 * boundaries. When all bytes are sent, the service may not have processed them yet.
 */
export type UploadProgress = (sentBytes: number, totalBytes: number) => void;

/** One part of a multipart body, in the order of sending. A part with `fileName` is a file. */
export type FormPart = { name: string; value: string } | FormFile;

export interface FormFile {
  name: string;
  fileName: string;
  content: Content;
  contentType?: string;
}

/** A body that is sent in chunks. */
export type StreamedBody = { kind: 'multipart'; parts: readonly FormPart[] } | { kind: 'bytes'; content: Content };

export type Body = { kind: 'json'; value: unknown } | StreamedBody;

/** An encoded body: its media type, its length, and its bytes in chunks. */
export interface EncodedBody {
  contentType: string;
  length: number;
  chunks: () => AsyncGenerator<Uint8Array, void, undefined>;
}

/** The size of chunks from memory, small enough to report progress. */
const CHUNK_BYTES = 64 * 1024;

/** Encodes `body` without copying its content: chunks from memory are views, and a Blob is read while it is sent. */
export function encodeBody(body: StreamedBody): EncodedBody {
  return body.kind === 'bytes'
    ? encodeContents('application/octet-stream', [body.content])
    : encodeMultipart(body.parts);
}

/** `multipart/form-data` (RFC 7578), with names escaped as in browsers (HTML standard, "multipart form data"). */
function encodeMultipart(parts: readonly FormPart[]): EncodedBody {
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
    chunks: async function* () {
      for (const content of contents) yield* chunksOf(content);
    },
  };
}

function lengthOf(content: Content): number {
  return content instanceof Uint8Array ? content.byteLength : content.size;
}

async function* chunksOf(content: Content): AsyncGenerator<Uint8Array, void, undefined> {
  if (content instanceof Uint8Array) {
    for (let at = 0; at < content.byteLength; at += CHUNK_BYTES) yield content.subarray(at, at + CHUNK_BYTES);
  } else {
    yield* content.stream();
  }
}
