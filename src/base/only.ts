/** The value of a list that has exactly one, as the results of one order have. @throws Error when it has none */
export function only<T extends object>([value]: readonly T[]): T {
  if (!value) throw new Error('There is no result');
  return value;
}
