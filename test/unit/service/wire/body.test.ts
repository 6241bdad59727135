import assert from 'node:assert/strict';
import { encodeBody, type Part } from '../../../../src/service/wire/body';

async function bytesOf(
  parts: readonly Part[],
): Promise<{ text: string; length: number; pieces: number; boundary: string }> {
  const body = encodeBody({ kind: 'multipart', parts });
  const pieces: Uint8Array[] = [];
  for await (const piece of body.pieces()) pieces.push(piece);
  const bytes = Buffer.concat(pieces);
  assert.equal(bytes.length, body.length);
  const boundary = /^multipart\/form-data; boundary=(\S+)$/.exec(body.contentType)?.[1] ?? '';
  return { text: bytes.toString('latin1'), length: body.length, pieces: pieces.length, boundary };
}

describe('a multipart body', () => {
  it('holds its parts in their order, files with name and type', async () => {
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

  it('lets no name break out of its head', async () => {
    const { text } = await bytesOf([{ name: 'a"\r\nx: y', fileName: '"; name="b\n', content: Buffer.from('') }]);
    assert.match(text, /name="a%22%0D%0Ax: y"; filename="%22; name=%22b%0A"\r\n/);
  });

  it('has another boundary each time', async () => {
    assert.notEqual((await bytesOf([])).boundary, (await bytesOf([])).boundary);
  });

  it('goes out in pieces that are views of what is in memory', async () => {
    const content = Buffer.alloc(1_000_000, 1);
    const body = encodeBody({ kind: 'bytes', content });
    let length = 0;
    let count = 0;
    for await (const piece of body.pieces()) {
      assert.equal(piece.buffer, content.buffer);
      length += piece.byteLength;
      count += 1;
    }
    assert.deepEqual([length, body.length], [1_000_000, 1_000_000]);
    assert(count > 10);
  });
});
