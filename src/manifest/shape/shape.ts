/** What a value has to look like, in the terms of Chromium's generated parsers. */
export type Shape =
  | { is: 'string' | 'boolean' | 'integer' | 'any' }
  | { is: 'list'; of: Shape }
  | { is: 'dictionary'; members: Readonly<Record<string, Member>> }
  | { is: 'choice'; name: string; values: readonly string[] };

/** A member of a dictionary; keys that are not declared are accepted in silence. */
export interface Member {
  shape: Shape;
  optional: boolean;
}

export const STRING: Shape = { is: 'string' };
export const BOOLEAN: Shape = { is: 'boolean' };
export const INTEGER: Shape = { is: 'integer' };
export const ANY: Shape = { is: 'any' };

/** A list whose items all have one shape. */
export function listOf(of: Shape): Shape {
  return { is: 'list', of };
}

/** One of a few strings; `name` is what Chromium calls the choice. */
export function choice(name: string, ...values: string[]): Shape {
  return { is: 'choice', name, values };
}

/** A dictionary; the members are looked at in the order in which they are declared, and a name that ends in `?` is optional. */
export function dictionary(members: Readonly<Record<string, Shape>>): Extract<Shape, { is: 'dictionary' }> {
  const declared = Object.entries(members).map(([name, shape]): [string, Member] =>
    name.endsWith('?') ? [name.slice(0, -1), { shape, optional: true }] : [name, { shape, optional: false }],
  );
  return { is: 'dictionary', members: Object.fromEntries(declared) };
}

/** What a shape is called in Chromium's texts, which is also what a node of it is called. */
export function kindOf(shape: Exclude<Shape, { is: 'any' }>): string {
  return shape.is === 'choice' ? 'string' : shape.is;
}
