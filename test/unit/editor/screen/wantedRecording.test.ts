import assert from 'node:assert/strict';
import { WantedRecording } from '../../../../src/editor/screen/wantedRecording';

describe('a recording that is asked for', () => {
  let acts: string[];
  let wanted: WantedRecording;

  beforeEach(() => {
    acts = [];
    wanted = new WantedRecording((act) => {
      acts.push(act);
      return Promise.resolve();
    });
  });

  it('before the page is there begins when it is, once', async () => {
    await wanted.ask('toggle');
    assert.deepEqual(acts, []);
    await wanted.shown();
    await wanted.shown();
    assert.deepEqual(acts, ['start']);
  });

  it('is for the page once that is there, also while its browser is being connected again', async () => {
    await wanted.shown();
    await wanted.ask('toggle');
    wanted.hidden();
    await wanted.ask('start');
    await wanted.ask('stop');
    await wanted.shown();
    assert.deepEqual(acts, ['toggle']);
  });

  it('is not one of the browser that is shown afterwards', async () => {
    await wanted.ask('start');
    await wanted.drop();
    await wanted.shown();
    assert.deepEqual(acts, []);
    await wanted.ask('start');
    await wanted.drop();
    assert.deepEqual(acts, ['start', 'stop'], 'The page itself waits for a live picture.');
  });
});
