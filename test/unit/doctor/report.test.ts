import assert from 'node:assert/strict';
import { allLegs, broken, timed, works } from '../../../src/doctor/legs';
import { legText, reportLines } from '../../../src/doctor/report';

describe('the report of an examination', () => {
  it('has each leg with its state, what was seen and what to do, and the facts', () => {
    const legs = allLegs([
      timed(works('service', 'It answers.'), 11.7),
      broken('browser', 'It has ended.', 'Start another.'),
    ]);
    const text = reportLines([{ browser: 'dev', legs }], [['VS Code', '1.105.0']], []).join('\n');
    assert.match(
      text,
      /^## Browser dev\n\n- ✓ Service \(12 ms\): It answers\.\n- ✗ Browser: It has ended\. Start another\.\n- – DevTools: not reached\./m,
    );
    assert.match(text, /^- VS Code: 1\.105\.0$/m);
  });

  it('has no token and no address by which a browser can be reached, whatever an error says', () => {
    const secret = 'https://live.example.com/v/abc123';
    const said = `Bearer sk-1 was refused by wss://x.example.com/devtools?jwt=eyJhbGciOi.eyJzdWIi.c2ln; see ${secret}.`;
    const text = reportLines(
      [{ browser: 'dev', legs: [broken('devTools', said)] }],
      [['Address', secret]],
      [secret],
    ).join('\n');
    for (const part of ['sk-1', 'x.example.com', 'eyJ', 'abc123']) assert.ok(!text.includes(part), part);
    assert.match(text, /\[hidden\]/);
  });

  it('keeps a leg on one line, so that a text of others makes no line of its own', () => {
    assert.equal(
      legText(broken('extension', 'Another copy of X\n- ✓ Worker: It runs.')),
      'Another copy of X - ✓ Worker: It runs.',
    );
  });
});
