import assert from 'node:assert/strict';
import { BUILD_QUIET_MS, BuildQuiet } from '../../../../src/push/turns/quiet';

describe('BuildQuiet', () => {
  /** Notes builds, a second apart, whose files are written with a pause between each two. */
  function after(...pauses: readonly number[]): number {
    const quiet = new BuildQuiet();
    pauses.forEach((pause, build) => {
      const begin = 1000 * build;
      quiet.note([begin + pause, begin, begin + 2 * pause]);
    });
    return quiet.ms;
  }

  it('is the usual time while the builds are not known', () => {
    assert.equal(after(), BUILD_QUIET_MS);
    assert.equal(after(1, 1), BUILD_QUIET_MS);
  });

  it('is a multiple of the longest pause within the builds before, between a least and the usual time', () => {
    assert.equal(after(1, 1, 1), 40);
    assert.equal(after(1, 20, 1), 60);
    assert.equal(after(1, 100, 1), BUILD_QUIET_MS);
  });

  it('is the usual time again once a build has gone on after it seemed to have ended', () => {
    const quiet = new BuildQuiet();
    for (const begin of [0, 1000, 2000]) quiet.note([begin]);
    assert.equal(quiet.ms, 40);
    quiet.note([2050]);
    assert.equal(quiet.ms, BUILD_QUIET_MS);
  });

  it('forgets builds of long ago, and times that it has noted before', () => {
    assert.equal(after(100, 1, 1, 1, 1, 1, 1, 1, 1), 40);
    const quiet = new BuildQuiet();
    for (const begin of [0, 1000, 2000]) quiet.note([begin, begin + 10]);
    quiet.note([2000, 2010]);
    assert.equal(quiet.ms, 40);
  });
});
