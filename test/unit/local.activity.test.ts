import assert from 'node:assert/strict';
import { Activity } from '../../src/local/activity';

describe('the activity of a session', () => {
  let now = 0;
  let activity: Activity;
  beforeEach(() => {
    now = 1000;
    activity = new Activity(() => now);
  });

  it('is missing from the beginning on', () => {
    now += 50;
    assert.equal(activity.idleMs(), 50);
  });

  it('lasts until the last of several things has ended', () => {
    const [first, second] = [activity.begin(), activity.begin()];
    now += 100;
    first();
    first();
    now += 100;
    assert.equal(activity.idleMs(), 0);
    second();
    now += 30;
    assert.equal(activity.idleMs(), 30);
  });
});
