import assert from 'node:assert/strict';
import { encodeBody, type FormPart } from '../../../../src/service/wire/body';

async function bytesOf(
  parts: readonly FormPart[],
): Promise<{ text: string; length: number; chunks: number; boundary: string }> {
  const body = encodeBody({ kind: 'multipart', parts });
  const chunks: Uint8Array[] = [];
  for await (const chunk of body.chunks()) chunks.push(chunk);
  const bytes = Buffer.concat(chunks);
  assert.equal(bytes.length, body.length);
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(body.contentType)?.[1] ?? '';
  return { text: bytes.toString('latin1'), length: body.length, chunks: chunks.length, boundary };
}

describe('a multipart body', () => {
  it('contains its parts in order, files with name and type', async () => {
    const { text, boundary } = await bytesOf([
      { name: 'file', fileName: 'a.zip', content: Buffer.from('PK'), contentType: 'application/zip' },
      { name: 'name', value: 'sample' },
      { name: 'raw', fileName: 'b', content: new Blob(['xyz']) },
    ]);
    const part = (head: string, content: string): string => `--${boundary}\r\n${head}\r\n\r\n${content}\r\n`;
    assert.equal(
      text,
      part('Content-Disposition: form-data; name="file"; filename="a.zip"\r\nContent-Type: application/zip', 'PK') +
        part('Content-Disposition: form-data; name="name"', 'sample') +
        part(
          'Content-Disposition: form-data; name="raw"; filename="b"\r\nContent-Type: application/octet-stream',
          'xyz',
        ) +
        `--${boundary}--\r\n`,
    );
  });

  it('escapes names in headers', async () => {
    const { text } = await bytesOf([{ name: 'a"\r\nx: y', fileName: '"; name="b\n', content: Buffer.from('') }]);
    assert.match(text, /name="a%22%0D%0Ax: y"; filename="%22; name=%22b%0A"\r\n/);
  });

  it('has a new boundary each time', async () => {
    assert.notEqual((await bytesOf([])).boundary, (await bytesOf([])).boundary);
  });

  it('is sent in chunks that are views of the content in memory', async () => {
    const content = Buffer.alloc(1_000_000, 1);
    const body = encodeBody({ kind: 'bytes', content });
    let length = 0;
    let count = 0;
    for await (const chunk of body.chunks()) {
      assert.equal(chunk.buffer, content.buffer);
      length += chunk.byteLength;
      count += 1;
    }
    assert.deepEqual([length, body.length], [1_000_000, 1_000_000]);
    assert(count > 10);
  });
});
