import assert from 'node:assert/strict';
import { valueOf } from '../../../../src/manifest/json/node';
import { parseJson } from '../../../../src/manifest/json/parse';
import { Text } from '../../../../src/manifest/source/text';

const parse = (text: string | number[]) =>
  parseJson(new Text(typeof text === 'string' ? Buffer.from(text) : Buffer.from(text)));
const valueIn = (text: string) => {
  const result = parse(text);
  return 'root' in result ? valueOf(result.root) : assert.fail(result.fault.text);
};
const faultIn = (text: string | number[]) => {
  const result = parse(text);
  return 'fault' in result ? result.fault.text : assert.fail('it parsed');
};

describe('JSON as Chromium reads it', () => {
  it('reads every kind of value', () => {
    const text =
      '{"a": [1, -2, 0.5, 1e3, true, false, null], "b": {"c": "\\"\\\\\\/\\b\\f\\n\\r\\t\\u00e9é\\ud83d\\ude00"}}';
    assert.deepEqual(valueIn(text), JSON.parse(text));
  });

  it('distinguishes integers of 32 bits from other numbers', () => {
    const kinds = ['3', '-0', '3.0', '3e0', '2147483647', '2147483648', '-2147483648'].map((text) => {
      const result = parse(text);
      return 'root' in result && result.root.kind;
    });
    assert.deepEqual(kinds, ['integer', 'double', 'double', 'double', 'integer', 'double', 'integer']);
  });

  for (const [what, text, value] of [
    ['a byte order mark', '\uFEFF{}', {}],
    ['comments anywhere', '// a\n{ /* b */ "x" /* c */ : 1 // d\n}/* e */', { x: 1 }],
    ['a comment of three characters', '/*/ {}', {}],
    ['raw line breaks in strings', '{"a": "b\r\nc"}', { a: 'b\r\nc' }],
    ['\\x escapes', '"\\x41"', 'A'],
    ['duplicate keys, of which the last wins', '{"a": 1, "a": 2}', { a: 2 }],
    ['an escaped NUL', '"\\u0000"', '\0'],
  ] as const) {
    it(`accepts ${what}`, () => {
      assert.deepEqual(valueIn(text), value);
    });
  }

  it('reads __proto__ like any other key', () => {
    const value = valueIn('{"__proto__": {"polluted": true}}');
    assert.deepEqual(Object.keys(value ?? {}), ['__proto__']);
    assert.equal('polluted' in {}, false);
  });

  // Each text was measured on Chromium 156.
  for (const [text, fault] of [
    ['', 'EOF while parsing a value at line 1 column 0'],
    [' \n', 'EOF while parsing a value at line 2 column 0'],
    ['{"a": 1,}', 'trailing comma at line 1 column 9'],
    ['[1,]', 'trailing comma at line 1 column 4'],
    ['{"a": 1,', 'EOF while parsing an object at line 1 column 8'],
    ['[1,', 'EOF while parsing a list at line 1 column 3'],
    ["{'a': 1}", 'key must be a string at line 1 column 2'],
    ['{"a" 1}', 'expected `:` at line 1 column 6'],
    ['[1 2]', 'expected `,` or `]` at line 1 column 4'],
    ['{"a": 1 "b": 2}', 'expected `,` or `}` at line 1 column 9'],
    ['# a\n{}', 'expected value at line 1 column 1'],
    ['{"a": nuxl}', 'expected ident at line 1 column 9'],
    ['{"a": 01}', 'invalid number at line 1 column 8'],
    ['{"a":1e99999999999999999}', 'number out of range at line 1 column 17'],
    ['{"a": "\t"}', 'control character (\\u0000-\\u001F) found while parsing a string at line 1 column 8'],
    ['{"a": "\\v"}', 'invalid escape at line 1 column 9'],
    ['{"é": "\\q"}', 'invalid escape at line 1 column 10'],
    ['{"a": "\\ud800"}', 'unexpected end of hex escape at line 1 column 14'],
    ['{}{}', 'trailing characters at line 1 column 3'],
    ['{}\n/* a', 'EOF while parsing a block comment at line 2 column 4'],
    ['{/ }', 'expected `/` or `*` after `/` at line 1 column 3'],
    ['{"a', 'EOF while parsing a string at line 1 column 3'],
  ] as const) {
    it(`refuses ${JSON.stringify(text)} with Chromium's text`, () => {
      assert.equal(faultIn(text), fault);
    });
  }

  it('reports bytes that are not UTF-8 at the end of their string', () => {
    assert.equal(faultIn([0x22, 0xff, 0x5c, 0x6e, 0x22]), 'invalid unicode code point at line 1 column 5');
  });

  it('accepts 199 levels and refuses the 200th, even of much deeper texts', () => {
    assert.ok('root' in parse('['.repeat(199) + ']'.repeat(199)));
    assert.equal(faultIn('['.repeat(200) + ']'.repeat(200)), 'recursion limit exceeded at line 1 column 201');
    assert.match(faultIn('['.repeat(1_000_000)), /^recursion limit exceeded/);
    assert.match(faultIn('{"a":'.repeat(100_000)), /^recursion limit exceeded/);
  });

  it('ends without an exception for random bytes', () => {
    // A linear congruential generator with a fixed seed, so that a failure can be reproduced.
    let state = 1;
    const random = (below: number) => (state = (state * 48_271) % 0x7fffffff) % below;
    const alphabet = Buffer.from('{}[]":,\\/*u0x1e-.tn \n\té');
    for (let round = 0; round < 5000; round++) {
      const bytes = Uint8Array.from({ length: random(40) }, () => alphabet[random(alphabet.length)] ?? 0);
      const result = parseJson(new Text(bytes));
      if ('fault' in result) assert.match(result.fault.text, / at line \d+ column \d+$/);
    }
  });

  it('agrees with JSON.parse on standard JSON', () => {
    let state = 7;
    const random = (below: number) => (state = (state * 48_271) % 0x7fffffff) % below;
    const make = (depth: number): unknown => {
      const kind = random(depth > 4 ? 4 : 6);
      if (kind === 0) return random(2) === 0;
      if (kind === 1) return (random(2_000_000) - 1_000_000) / (random(3) === 0 ? 7 : 1);
      if (kind === 2) return String.fromCharCode(...Array.from({ length: random(9) }, () => random(0xd800)));
      if (kind === 3) return null;
      const items = Array.from({ length: random(5) }, () => make(depth + 1));
      return kind === 4 ? items : Object.fromEntries(items.map((item, index) => [`k${index}"\\`, item]));
    };
    for (let round = 0; round < 500; round++) {
      const text = JSON.stringify(make(0), null, random(3));
      assert.deepEqual(valueIn(text), JSON.parse(text));
    }
  });
});
