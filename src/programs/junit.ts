import { SMOKE_TESTS, type SmokeResult } from './headless/smokeNames';

/** A test in a report: its name, how it ended, and how long it took in milliseconds. */
export interface JunitCase extends Pick<SmokeResult, 'state' | 'ms' | 'message'> {
  name: string;
}

/** The results of smoke tests as JUnit XML, which pipelines read; `suite` names the extension and the browser. */
export function junitOf(suite: string, results: readonly SmokeResult[]): string {
  return junitOfCases(
    suite,
    results.map(({ id, ...result }) => ({ ...result, name: SMOKE_TESTS[id] })),
  );
}

/** The results of any tests as JUnit XML. */
export function junitOfCases(suite: string, results: readonly JunitCase[]): string {
  const count = (state: JunitCase['state']): number => results.filter((result) => result.state === state).length;
  const seconds = (ms: number): string => (ms / 1000).toFixed(3);
  const time = seconds(results.reduce((sum, { ms }) => sum + ms, 0));
  const cases = results.map(({ name, state, ms, message }) => {
    const [first = ''] = message.split('\n', 1);
    const body = {
      passed: message === '' ? '' : `<system-out>${escaped(message)}</system-out>`,
      skipped: `<skipped message="${escaped(first)}"/>`,
      outdated: `<error message="${escaped(first)}"/>`,
      failed: `<failure message="${escaped(first)}">${escaped(message)}</failure>`,
    }[state];
    return `    <testcase classname="${escaped(suite)}" name="${escaped(name)}" time="${seconds(ms)}">${body}</testcase>`;
  });
  const totals = `tests="${results.length}" failures="${count('failed')}" errors="${count('outdated')}" skipped="${count('skipped')}" time="${time}"`;
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

/** Control characters that XML 1.0 does not allow, and what Unicode calls no characters. */
const NOT_IN_XML = /[^\P{Cc}\t\n\r\u007f-\u009f]|[\ufffe\uffff]/gu;

/** Without what XML cannot hold. */
function escaped(text: string): string {
  return text
    .replaceAll(NOT_IN_XML, ' ')
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
