import assert from 'node:assert/strict';
import { Activity } from '../../../../src/local/sessions/activity';

describe('the activity of a session', () => {
  let now = 0;
  let activity: Activity;
  beforeEach(() => {
    now = 1000;
    activity = new Activity(() => now);
  });

  it('has an idle time from the beginning', () => {
    now += 50;
    assert.equal(activity.idleMs(), 50);
  });

  it('lasts until the last of several uses has ended', () => {
    const [first, second] = [activity.beginUse(), activity.beginUse()];
    now += 100;
    first();
    first();
    now += 100;
    assert.equal(activity.idleMs(), 0);
    second();
    now += 30;
    assert.equal(activity.idleMs(), 30);
  });

  it('is not renewed by a keep-alive', () => {
    now += 40;
    const release = activity.keepAlive();
    now += 100;
    assert.equal(activity.idleMs(), 0);
    release();
    release();
    assert.equal(activity.idleMs(), 140);
  });

  it('does not count a sleep of the machine', () => {
    now += 60_040;
    activity.skip(60_000);
    assert.equal(activity.idleMs(), 40);
  });

  it('is followed by standby five seconds after the last use', () => {
    now += 4_999;
    assert.equal(activity.standbyMs(), 0);
    now += 3_001;
    assert.equal(activity.standbyMs(), 3_000);
    activity.beginUse()();
    assert.equal(activity.standbyMs(), 0);
  });
});
