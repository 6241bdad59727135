import assert from 'node:assert/strict';
import { TOOLS } from '../../../src/tools/all';
import { TOOL_NAMES } from '../../../src/tools/names';
import { Input, problemOf, type ObjectSchema } from '../../../src/tools/schema';

const SCHEMA: ObjectSchema = {
  type: 'object',
  properties: {
    name: { type: 'string', description: 'a', maxLength: 5 },
    kind: { type: 'string', description: 'a', enum: ['one', 'two'] },
    count: { type: 'integer', description: 'a', minimum: 1, maximum: 3 },
    flag: { type: 'boolean', description: 'a' },
    list: { type: 'array', description: 'a', items: { type: 'string', description: 'a', maxLength: 2 }, maxItems: 2 },
  },
  required: ['name'],
  additionalProperties: false,
};

describe('the input of a tool', () => {
  it('conforms to its schema, or is refused with the name of the member', () => {
    assert.equal(problemOf(SCHEMA, { name: 'abc', kind: 'one', count: 3, flag: false, list: ['a'] }), undefined);
    const refused: [unknown, RegExp][] = [
      [null, /must be an object/],
      [[], /must be an object/],
      [{}, /lacks "name"/],
      [{ name: 'abcdef' }, /"name" is too long: it has 6 characters, the most are 5/],
      [{ name: 7 }, /"name" must be a string/],
      [{ name: 'a', kind: 'three' }, /"kind" must be one of one, two/],
      [{ name: 'a', count: 4 }, /"count" must be a whole number from 1 to 3/],
      [{ name: 'a', count: 1.5 }, /"count" must be a whole number/],
      [{ name: 'a', flag: 'yes' }, /"flag" must be true or false/],
      [{ name: 'a', list: ['a', 'b', 'c'] }, /"list" has more than 2 items/],
      [{ name: 'a', list: ['abc'] }, /"list"\[0\] is too long/],
      [{ name: 'a', other: 1 }, /has no "other"\. It takes name, kind/],
      [JSON.parse('{ "name": "a", "__proto__": 1 }'), /has no "__proto__"/],
    ];
    for (const [value, reason] of refused) assert.match(problemOf(SCHEMA, value) ?? '', reason);
  });

  it('is read by type: members of other types, and of its prototype, are missing', () => {
    const input = new Input({ name: 'a', count: 2, list: ['a', 1], flag: true });
    assert.deepEqual([input.text('name'), input.number('count'), input.flag('flag')], ['a', 2, true]);
    assert.deepEqual(
      [input.text('count'), input.number('name'), input.text('toString')],
      [undefined, undefined, undefined],
    );
    assert.deepEqual(input.texts('list'), ['a']);
    assert.deepEqual(new Input(undefined).list('list'), []);
  });
});

describe('the tools', () => {
  it('are those that are named, in the same order, each with texts, and every text of their input is bounded', () => {
    assert.deepEqual(
      TOOLS.map(({ name }) => name),
      TOOL_NAMES,
    );
    const visit = (schema: ObjectSchema, path: string): void => {
      assert.equal(schema.additionalProperties, path.endsWith('.set'), path);
      for (const [name, member] of Object.entries(schema.properties)) {
        const place = `${path}.${name}`;
        assert.notEqual(member.description ?? '', '', place);
        if (member.type === 'string') assert.ok(member.enum ?? member.maxLength, place);
        if (member.type === 'object') visit(member, place);
        if (member.type === 'array' && member.items.type === 'object') visit(member.items, place);
        if (member.type === 'array' && member.items.type === 'string') assert.ok(member.items.maxLength, place);
      }
    };
    for (const { name, title, description, input } of TOOLS) {
      assert.ok(title.length > 0 && title.length < 40 && description.length > 20 && description.length < 700, name);
      visit(input, name);
    }
  });

  it('say what a call will do, in one sentence without control characters', () => {
    for (const { intent, name } of TOOLS) {
      const sentence = intent(
        new Input({ folder: 'a', browser: 'b', url: 'https://a/\n\u001b', actions: [{ do: 'type', text: 'a\nb' }] }),
      );
      // eslint-disable-next-line no-control-regex
      assert.ok(sentence.endsWith('.') && !/[\u0000-\u001f]/.test(sentence), `${name}: ${sentence}`);
    }
  });
});
