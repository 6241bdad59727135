import assert from 'node:assert/strict';
import {
  fieldOf,
  isObject,
  listField,
  numberField,
  objectOf,
  optionalText,
  textField,
  textsField,
} from '../../../src/base/fields';

const OTHERS: readonly unknown[] = [undefined, null, true, 5, 'text', [], {}, { field: null }, { field: {} }];

describe('fields of foreign values', () => {
  it('are read from objects, lists and errors', () => {
    assert.equal(fieldOf({ field: 5 }, 'field'), 5);
    assert.equal(fieldOf(['first'], '0'), 'first');
    assert.equal(fieldOf(Object.assign(new Error(), { code: 'ENOENT' }), 'code'), 'ENOENT');
  });

  it('are the usual value when they are absent or of another type', () => {
    for (const value of OTHERS) {
      const read = [textField, optionalText, numberField, listField, textsField].map((read) => read(value, 'field'));
      assert.deepEqual(read, ['', undefined, 0, [], []], JSON.stringify(value));
    }
    assert.deepEqual(
      OTHERS.map((value) => fieldOf(value, 'field')),
      [...OTHERS.slice(0, 7).map(() => undefined), null, {}],
    );
  });

  it('are texts, also empty ones, of which optional ones stay empty', () => {
    assert.deepEqual([textField({ a: 'b' }, 'a'), optionalText({ a: 'b' }, 'a')], ['b', 'b']);
    assert.deepEqual([textField({ a: '' }, 'a'), optionalText({ a: '' }, 'a')], ['', '']);
  });

  it('are finite numbers', () => {
    assert.deepEqual(
      [-1.5, NaN, Infinity].map((field) => numberField({ field }, 'field')),
      [-1.5, 0, 0],
    );
  });

  it('are lists, of which the texts can be taken alone', () => {
    const value = { list: ['a', 5, null, 'b', ['c']] };
    assert.deepEqual(listField(value, 'list'), value.list);
    assert.deepEqual(textsField(value, 'list'), ['a', 'b']);
  });
});

describe('foreign values', () => {
  it('are objects when they have named fields', () => {
    assert.deepEqual(OTHERS.map(isObject), [false, false, false, false, false, false, true, true, true]);
  });

  it('are taken as an empty object when they are none', () => {
    const object = { field: 5 };
    assert.equal(objectOf(object), object);
    for (const value of [undefined, null, 5, 'text']) assert.deepEqual(objectOf(value), {});
  });
});
