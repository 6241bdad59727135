import { isJsonObject, type Json, type JsonObject } from '../support/json';
import { mutateString, somePattern } from './mutateString';
import type { Chance } from '../support/random';
import { SAMPLE_VALUES } from './sampleValues';
import { ANY_VALUES, KEY_NAMES, WORDS } from './vocabulary';

type Place = { parent: Json[]; key: number } | { parent: JsonObject; key: string };

function placesOf(node: Json): Place[] {
  if (Array.isArray(node)) return node.flatMap((item, key) => [{ parent: node, key }, ...placesOf(item)]);
  if (!isJsonObject(node)) return [];
  return Object.entries(node).flatMap(([key, item]) => [{ parent: node, key }, ...placesOf(item)]);
}

function valueAt(place: Place): Json {
  return (Array.isArray(place.parent) ? place.parent[Number(place.key)] : place.parent[place.key]) ?? null;
}

function setAt(place: Place, value: Json): void {
  // `__proto__` is a key like any other in JSON.
  Object.defineProperty(place.parent, place.key, { value, writable: true, enumerable: true, configurable: true });
}

/** A value for any place: a plain one, a word that means something somewhere, a pattern, or what belongs to a key. */
export function someValue(chance: Chance): Json {
  const share = chance.number();
  if (share < 0.5) return structuredClone(chance.pick(ANY_VALUES));
  if (share < 0.75) return chance.pick(WORDS);
  if (share < 0.9) return somePattern(chance);
  return structuredClone(chance.pick(Object.values(SAMPLE_VALUES).flat()));
}

/** Changes one value somewhere inside a root; the root itself only when there is nothing in it. */
export function mutateValue(root: Json, chance: Chance): Json {
  const places = placesOf(root);
  if (places.length === 0) return someValue(chance);
  const place = chance.pick(places);
  const share = chance.number();
  if (share < 0.1) remove(place);
  else if (share < 0.25) add(place, chance);
  else if (share < 0.32) rename(place, chance);
  else if (share < 0.6) setAt(place, alike(valueAt(place), chance));
  else if (share < 0.72) setAt(place, rewrapped(valueAt(place), chance));
  else if (share < 0.76) setAt(place, structuredClone(valueAt(chance.pick(places))));
  else setAt(place, someValue(chance));
  return root;
}

function remove(place: Place): void {
  if (Array.isArray(place.parent)) place.parent.splice(Number(place.key), 1);
  else Reflect.deleteProperty(place.parent, place.key);
}

function add(place: Place, chance: Chance): void {
  const value = valueAt(place);
  if (Array.isArray(place.parent)) {
    place.parent.splice(Number(place.key), 0, chance.happens(0.4) ? structuredClone(value) : someValue(chance));
  } else setAt({ parent: place.parent, key: chance.pick(KEY_NAMES) }, someValue(chance));
}

function rename(place: Place, chance: Chance): void {
  if (Array.isArray(place.parent)) return;
  const value = valueAt(place);
  remove(place);
  const key = String(place.key);
  setAt({ parent: place.parent, key: chance.happens(0.3) ? chance.pick(KEY_NAMES) : mutateString(key, chance) }, value);
}

/** A value of the same type. */
function alike(value: Json, chance: Chance): Json {
  switch (typeof value) {
    case 'string':
      return chance.happens(0.2) ? chance.pick(WORDS) : mutateString(value, chance);
    case 'number':
      return chance.pick([
        0,
        -value,
        value + 1,
        value - 1,
        value / 2,
        value * 1e10,
        value + 0.5,
        2 ** 31,
        2 ** 31 - 1,
        2 ** 32,
        1e21,
      ]);
    case 'boolean':
      return !value;
    default:
      if (Array.isArray(value)) return chance.happens(0.5) ? [] : [...value, someValue(chance)];
      return {};
  }
}

/** The value in a list or an object, or what it holds without them, or as a text. */
function rewrapped(value: Json, chance: Chance): Json {
  const share = chance.number();
  if (share < 0.3) return [value];
  if (share < 0.45) return { [chance.pick(KEY_NAMES)]: value };
  if (share < 0.6 && (typeof value === 'number' || typeof value === 'boolean')) return String(value);
  const held = Array.isArray(value) ? value : isJsonObject(value) ? Object.values(value) : [];
  return held.length > 0 ? chance.pick(held) : [value, value];
}
