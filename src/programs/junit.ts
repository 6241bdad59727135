import { SMOKE_TESTS, type SmokeResult } from '../tools/smokeNames';

/** The results of smoke tests as JUnit XML, which pipelines read; `suite` names the extension and the browser. */
export function junitOf(suite: string, results: readonly SmokeResult[]): string {
  const count = (state: SmokeResult['state']): number => results.filter((result) => result.state === state).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const time = seconds(results.reduce((sum, { ms }) => sum + ms, 0));
  const cases = results.map(({ id, state, ms, message }) => {
    const [first = ''] = message.split('\n', 1);
    const body = {
      passed: '',
      skipped: `<skipped message="${escaped(first)}"/>`,
      failed: `<failure message="${escaped(first)}">${escaped(message)}</failure>`,
    }[state];
    return `    <testcase classname="${escaped(suite)}" name="${escaped(SMOKE_TESTS[id])}" time="${seconds(ms)}">${body}</testcase>`;
  });
  const totals = `tests="${results.length}" failures="${count('failed')}" skipped="${count('skipped')}" time="${time}"`;
  return [
    '<?xml version="1.0" encoding="UTF-8"?>',
    `<testsuites ${totals}>`,
    `  <testsuite name="${escaped(suite)}" ${totals}>`,
    ...cases,
    '  </testsuite>',
    '</testsuites>',
    '',
  ].join('\n');
}

/** Without what XML cannot hold. */
function escaped(text: string): string {
  return (
    text
      // eslint-disable-next-line no-control-regex
      .replaceAll(/[\u0000-\u0008\u000b\u000c\u000e-\u001f\ufffe\uffff]/g, ' ')
      .replaceAll('&', '&amp;')
      .replaceAll('<', '&lt;')
      .replaceAll('>', '&gt;')
      .replaceAll('"', '&quot;')
  );
}
