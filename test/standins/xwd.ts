import { crc32, deflateSync } from 'node:zlib';

/** Fields of the header of XWD version 7 by their place in it, each four bytes, big-endian. */
const HEADER = { size: 0, width: 4, height: 5, bitsPerPixel: 11, bytesPerLine: 12, colors: 19 } as const;

/** Bytes of a color in the table after the header. */
const COLOR_BYTES = 12;

/** The picture of a screen that X servers write (XWD with 32 bits per pixel: blue, green, red, unused) as PNG. */
export function pngOfXwd(xwd: Buffer): Buffer {
  const field = (name: keyof typeof HEADER): number => xwd.readUInt32BE(4 * HEADER[name]);
  if (field('bitsPerPixel') !== 32) throw new Error(`The screen has ${field('bitsPerPixel')} bits per pixel, not 32.`);
  const [width, height] = [field('width'), field('height')];
  const pixels = field('size') + field('colors') * COLOR_BYTES;
  // Each line begins with the number of its filter, which is none.
  const lines = Buffer.alloc(height * (1 + 3 * width));
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = pixels + y * field('bytesPerLine') + 4 * x;
      const to = y * (1 + 3 * width) + 1 + 3 * x;
      lines.writeUIntBE(xwd.readUIntLE(from, 3), to, 3);
    }
  }
  const size = Buffer.alloc(13);
  size.writeUInt32BE(width, 0);
  size.writeUInt32BE(height, 4);
  // Eight bits for each of red, green and blue.
  size.set([8, 2, 0, 0, 0], 8);
  const signature = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);
  return Buffer.concat([signature, chunk('IHDR', size), chunk('IDAT', deflateSync(lines)), chunk('IEND')]);
}

function chunk(type: string, data = Buffer.alloc(0)): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}
