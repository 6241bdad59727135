import assert from 'node:assert/strict';
import { junitOf } from '../../../src/programs/junit';

describe('junitOf', () => {
  it('counts, and holds nothing that XML cannot', () => {
    const text = junitOf('A & "B"', [
      { id: 'loads', state: 'passed', ms: 1500, message: '' },
      { id: 'worker', state: 'failed', ms: 20, message: 'first <line>\na.js:1:1 error in worker: \u001b[31m & more' },
      { id: 'popup', state: 'skipped', ms: 0, message: 'The manifest names none.' },
      { id: 'quiet', state: 'outdated', ms: 0, message: 'Another build was pushed.' },
    ]);
    assert.deepEqual(text.split('\n'), [
      '<?xml version="1.0" encoding="UTF-8"?>',
      '<testsuites tests="4" failures="1" errors="1" skipped="1" time="1.520">',
      '  <testsuite name="A &amp; &quot;B&quot;" tests="4" failures="1" errors="1" skipped="1" time="1.520">',
      '    <testcase classname="A &amp; &quot;B&quot;" name="Chromium loads it" time="1.500"></testcase>',
      '    <testcase classname="A &amp; &quot;B&quot;" name="its service worker starts" time="0.020"><failure message="first &lt;line&gt;">first &lt;line&gt;',
      'a.js:1:1 error in worker:  [31m &amp; more</failure></testcase>',
      '    <testcase classname="A &amp; &quot;B&quot;" name="its popup opens without an error" time="0.000"><skipped message="The manifest names none."/></testcase>',
      '    <testcase classname="A &amp; &quot;B&quot;" name="it has no error for 5 s" time="0.000"><error message="Another build was pushed."/></testcase>',
      '  </testsuite>',
      '</testsuites>',
      '',
    ]);
  });
});
