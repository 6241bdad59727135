import assert from 'node:assert/strict';
import type { Protocol } from '../../../src/devtools/protocol/connect';
import { argumentsText, tableText } from '../../../src/console/remoteText';

type RemoteObject = Protocol.Runtime.RemoteObject;
type Property = Protocol.Runtime.PropertyPreview;

const text = (value: string): RemoteObject => ({ type: 'string', value });
const number = (value: number): RemoteObject => ({ type: 'number', value, description: String(value) });

type Preview = Protocol.Runtime.ObjectPreview;

function object(preview: Partial<Preview>, more: Partial<RemoteObject> = {}): RemoteObject {
  const whole: Preview = { type: 'object', description: 'Object', overflow: false, properties: [], ...preview };
  const { subtype, description } = whole;
  return {
    type: 'object',
    objectId: '1',
    ...(subtype && { subtype }),
    ...(description !== undefined && { description }),
    preview: whole,
    ...more,
  };
}

const property = (name: string, type: Property['type'], value: string, more: Partial<Property> = {}): Property => ({
  name,
  type,
  value,
  ...more,
});

describe('the arguments of a console call', () => {
  it('are joined by blanks, strings without quotes', () => {
    assert.equal(argumentsText([text('a'), number(1), { type: 'undefined' }, text('b')]), 'a 1 undefined b');
    assert.equal(argumentsText([]), '');
  });

  it('are values as JavaScript writes them', () => {
    const values: [RemoteObject, string][] = [
      [{ type: 'object', subtype: 'null', value: null }, 'null'],
      [{ type: 'boolean', value: false }, 'false'],
      [{ type: 'number', unserializableValue: '-0', description: '-0' }, '-0'],
      [{ type: 'bigint', unserializableValue: '10n', description: '10n' }, '10n'],
      [{ type: 'symbol', description: 'Symbol(s)' }, 'Symbol(s)'],
      [{ type: 'function', description: 'function f() {\n  return 1;\n}' }, 'ƒ function f() { return 1; }'],
    ];
    for (const [value, shown] of values) assert.equal(argumentsText([value]), shown);
  });

  it('fill in the format specifiers of the first one', () => {
    assert.equal(argumentsText([text('%s is %d of %i'), text('it'), number(1.5), number(2.7)]), 'it is 1 of 2');
    assert.equal(argumentsText([text('%f %%'), text('1.5px')]), '1.5 %');
    assert.equal(argumentsText([text('%d'), text('no number')]), 'NaN');
    assert.equal(
      argumentsText([text('%cbold%c after'), text('font-weight: bold'), text(''), number(3)]),
      'bold after 3',
    );
    assert.equal(argumentsText([text('%o %O'), text('quoted'), object({})]), "'quoted' {}");
    assert.equal(argumentsText([text('%s %s'), text('one')]), 'one %s');
    assert.equal(argumentsText([number(1), text('%s'), text('a')]), '1 %s a');
  });

  it('do not fill in what an argument brings', () => {
    assert.equal(argumentsText([text('%s'), text('%s'), text('b')]), '%s b');
  });

  it('are objects by their previews', () => {
    const properties = [
      property('text', 'string', "it's"),
      property('list', 'object', 'Array(2)', { subtype: 'array' }),
      property('more', 'object', 'Object'),
      property('none', 'object', 'null', { subtype: 'null' }),
      property('run', 'function', ''),
      property('get', 'accessor', ''),
      property('error', 'object', 'Error: no\n    at a.js:1:1', { subtype: 'error' }),
    ];
    assert.equal(
      argumentsText([object({ properties })]),
      String.raw`{text: 'it\'s', list: Array(2), more: {…}, none: null, run: ƒ, get: (…), error: Error: no}`,
    );
    assert.equal(argumentsText([object({ description: 'A', properties: [property('x', 'number', '1')] })]), 'A {x: 1}');
    assert.equal(argumentsText([object({ overflow: true, properties: [property('x', 'number', '1')] })]), '{x: 1, …}');
  });

  it('are arrays and typed arrays with their sizes', () => {
    const list = (description: string, properties: Property[], overflow = false): string =>
      argumentsText([object({ subtype: 'array', description, properties, overflow })]);
    assert.equal(list('Array(0)', []), '[]');
    assert.equal(list('Array(2)', [property('0', 'number', '1'), property('1', 'string', 'a')]), "(2) [1, 'a']");
    assert.equal(list('Array(200)', [property('0', 'number', '1')], true), '(200) [1, …]');
    assert.equal(list('Array(1)', [property('0', 'number', '1'), property('x', 'number', '2')]), '(1) [1, x: 2]');
    assert.equal(list('Uint8Array(1)', [property('0', 'number', '1')]), 'Uint8Array(1) [1]');
  });

  it('are maps and sets with their entries, also nested', () => {
    const value = object({ properties: [property('a', 'number', '1')] }).preview ?? assert.fail();
    const key: Preview = { type: 'string', description: 'key', overflow: false, properties: [] };
    const map = object({ subtype: 'map', description: 'Map(1)', entries: [{ key, value }] });
    assert.equal(argumentsText([map]), "Map(1) {'key' => {a: 1}}");
    assert.equal(
      argumentsText([object({ subtype: 'set', description: 'Set(1)', entries: [{ value: key }] })]),
      "Set(1) {'key'}",
    );
  });

  it('are dates and expressions as texts, and errors with their stacks', () => {
    assert.equal(argumentsText([object({ subtype: 'regexp', description: '/a/g' })]), '/a/g');
    const stack = 'Error: no\n    at a.js:1:1';
    assert.equal(
      argumentsText([object({ subtype: 'error', description: 'Error: no' }, { description: stack })]),
      stack,
    );
  });

  it('are described when there is no preview', () => {
    assert.equal(argumentsText([{ type: 'object', description: 'Object', objectId: '1' }]), 'Object');
  });
});

describe('a table', () => {
  const row = (name: string, properties: Property[]): Property =>
    property(name, 'object', 'Object', { valuePreview: object({ properties }).preview ?? assert.fail() });

  it('has a row for each entry and a column for each of its properties', () => {
    const rows = [
      row('0', [property('name', 'string', 'a'), property('size', 'number', '10')]),
      row('1', [property('size', 'number', '2')]),
      property('2', 'number', '5'),
    ];
    assert.equal(
      tableText([object({ subtype: 'array', description: 'Array(3)', properties: rows })]),
      ['(index)  name  size  Value', "0        'a'   10", '1              2', '2                    5'].join('\n'),
    );
  });

  it('is written as any other call when the value is none', () => {
    assert.equal(tableText([text('no table')]), 'no table');
  });
});
