/** The content of an address of data (`data:…`); undefined where it is not written correctly. */
export function dataOf(address: string): Buffer | undefined {
  const comma = address.indexOf(',');
  const content = address.slice(comma + 1);
  if (/;base64$/i.test(address.slice(0, comma))) return Buffer.from(content, 'base64');
  try {
    return Buffer.from(decodeURIComponent(content), 'utf8');
  } catch {
    // A stray percent sign.
    return undefined;
  }
}
