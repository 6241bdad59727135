import assert from 'node:assert/strict';
import { TOOLS } from '../../../src/agents/allTools';
import { TOOL_NAMES } from '../../../src/agents/toolNames';
import { runTool } from '../../../src/agents/runTool';
import { Input, problemOf, type ObjectSchema, type ValueSchema } from '../../../src/agents/valueSchema';
import type { ToolWindow } from '../../../src/agents/tool';

/** A window in which nothing may be done. */
const UNTOUCHED = new Proxy(
  {},
  {
    get: (_target, name) => {
      throw new Error(`the window was asked for ${String(name)}`);
    },
  },
) as ToolWindow;

/** A value that conforms to a schema. */
function right(schema: ValueSchema): unknown {
  switch (schema.type) {
    case 'string':
      return schema.enum?.[0] ?? '';
    case 'integer':
      return schema.minimum;
    case 'boolean':
      return true;
    case 'array':
      return [];
    case 'object':
      return Object.fromEntries(
        (schema.required ?? []).map((name) => [name, right(schema.properties[name] ?? schema)]),
      );
  }
}

/** Values that do not conform to it: of each other type, too long, too large, or with a part that does not. */
function wrong(schema: ValueSchema): unknown[] {
  const values = [null, 'text', 1.5, true, [], {}].filter((value) => problemOf({ ...schema }, value) !== undefined);
  switch (schema.type) {
    case 'string':
      return [...values, schema.enum ? `${schema.enum[0]} ` : 'x'.repeat((schema.maxLength ?? 0) + 1)];
    case 'integer':
      return [...values, schema.minimum - 1, schema.maximum + 1, String(schema.minimum), Infinity, NaN];
    case 'boolean':
      return [...values, 'true', 1];
    case 'array':
      return [
        ...values,
        Array.from({ length: schema.maxItems + 1 }, () => right(schema.items)),
        ...wrong(schema.items).map((item) => [item]),
      ];
    case 'object':
      return [...values, ...wrongMembers(schema)];
  }
}

/** Objects of which one member is wrong, is missing, or does not belong there. */
function wrongMembers(schema: ObjectSchema): unknown[] {
  const whole = right(schema) as Record<string, unknown>;
  const members = Object.entries(schema.properties).flatMap(([name, member]) =>
    wrong(member).map((value) => ({ ...whole, [name]: value })),
  );
  const without = (schema.required ?? []).map((name) => ({ ...whole, [name]: undefined }));
  return [
    ...members,
    ...without.map((value) => JSON.parse(JSON.stringify(value)) as unknown),
    ...(schema.additionalProperties ? [] : [{ ...whole, no_such_member: 1 }]),
  ];
}

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

  for (const tool of TOOLS) {
    it(`refuse each input of ${tool.name} of another shape, and do nothing then`, async () => {
      const inputs = wrong(tool.input);
      assert.ok(inputs.length > Object.keys(tool.input.properties).length * 5, `${inputs.length}`);
      for (const input of inputs) {
        const { isError, text } = await runTool(tool, input, UNTOUCHED);
        assert.equal(isError, true, JSON.stringify(input));
        assert.match(text, new RegExp(` Nothing was done; call ${tool.name} again\\.$`), JSON.stringify(input));
      }
    });
  }

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
