import assert from 'node:assert/strict';
import { ProfileUsers } from '../../../../src/editor/lists/profileUsers';
import { BROWSER } from './sampleBrowser';

describe('the users of profiles', () => {
  it('are the browsers that run with a profile, by its id and by its name, each once', () => {
    const [first, second, third] = [
      { ...BROWSER, id: 'a', profile: { id: 'p1', name: 'work' } },
      { ...BROWSER, id: 'b', profile: { id: 'p2', name: 'p2' } },
      { ...BROWSER, id: 'c', profile: { id: 'p1', name: 'work' } },
    ];
    const ended = { ...BROWSER, id: 'd', profile: { id: 'p1' }, deletedAt: '2026-05-01T12:00:00Z' };
    const users = new ProfileUsers([first, second, third, ended, { ...BROWSER, id: 'e' }]);
    assert.deepEqual(users.of({ id: 'p1' }), [first, third]);
    assert.deepEqual(users.of({ id: 'work' }), [first, third]);
    assert.deepEqual(users.of({ id: 'p2' }), [second]);
    assert.deepEqual(users.of({ id: 'p3' }), []);
  });
});
