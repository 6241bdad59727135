import assert from 'node:assert/strict';
import { restartText } from '../../../../src/editor/push/restartText';

describe('the question whether browsers may be restarted', () => {
  it('is about the first push, and says that later ones need no restart, and what a push without one means', () => {
    const one = restartText({ names: ['left'], canAvoid: true, isEachPush: false });
    assert.equal(one.question, 'The first push restarts Chromium in left.');
    assert.match(one.lines.join('\n'), /Later pushes need no restart\.\nWithout a restart the tabs stay\./);
    const { question } = restartText({ names: ['left', 'right'], canAvoid: true, isEachPush: false });
    assert.equal(question, 'The first push to a browser restarts its Chromium. You are pushing to left, right.');
  });

  it('is about each push where the setting says so', () => {
    const { question, lines } = restartText({ names: ['left', 'right'], canAvoid: true, isEachPush: true });
    assert.equal(question, 'The push restarts Chromium in left, right.');
    assert.match(lines[0] ?? '', /The setting sideload\.delivery is "restart", so each push restarts it\.$/);
    assert.equal(lines.length, 2);
  });

  it('offers no other way without DevTools, where each push restarts them, too', () => {
    const { question, lines } = restartText({ names: ['left'], canAvoid: false, isEachPush: false });
    assert.equal(question, 'The push restarts Chromium in left.');
    assert.equal(lines.length, 1);
    assert.match(lines[0] ?? '', /Without DevTools each push restarts it\.$/);
  });
});
