/** The type of a value, in the terms of Chromium's generated parsers. */
export type Shape =
  | { is: 'any' }
  | { is: 'string' | 'boolean' | 'integer' }
  | { is: 'list'; of: Shape }
  | { is: 'dictionary'; members: Readonly<Record<string, Member>> }
  | { is: 'choice'; name: string; values: readonly string[] };

/** A member of a dictionary; Chromium accepts undeclared keys without a warning. */
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

/** One of a few strings; `name` is the name of the enumeration in Chromium. */
export function choice(name: string, ...values: string[]): Shape {
  return { is: 'choice', name, values };
}

/** A dictionary; members are checked in the order of declaration, and one whose name ends in `?` is optional. */
export function dictionary(members: Readonly<Record<string, Shape>>): Extract<Shape, { is: 'dictionary' }> {
  const declared = Object.entries(members).map(([name, shape]): [string, Member] =>
    name.endsWith('?') ? [name.slice(0, -1), { shape, optional: true }] : [name, { shape, optional: false }],
  );
  return { is: 'dictionary', members: Object.fromEntries(declared) };
}

/** The name of a shape in Chromium's texts, which is also the kind of its nodes. */
export function kindOf(shape: Exclude<Shape, { is: 'any' }>): string {
  return shape.is === 'choice' ? 'string' : shape.is;
}
