/** True for 32 letters from a to p, which are hexadecimal digits. */
export function isExtensionId(id: string): boolean {
  return /^[a-p]{32}$/i.test(id);
}
