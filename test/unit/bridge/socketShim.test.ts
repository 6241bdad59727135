import assert from 'node:assert/strict';
import { runInNewContext } from 'node:vm';
import { hostsOf, pageWithSocketShim, withSocketShim } from '../../../src/bridge/socketShim';

const OPTIONS = { hosts: ['localhost:5173'], folder: '/.sideload/secret' };

describe('what has the websockets of a script carried', () => {
  const names = 'const socket = WebSocket;\nsocket;\n';

  it('is in no script that names none', () => {
    const other = 'const MyWebSocketLike = 1;\n';
    assert.equal(withSocketShim(other, OPTIONS), other);
  });

  it('is before the first statement, on its line', () => {
    const script = withSocketShim(names, OPTIONS);
    assert.ok(script.endsWith(names) && script.length > names.length);
    assert.equal(script.split('\n').length, names.split('\n').length);
    assert.match(script, /"localhost:5173".*"\/\.sideload\/secret"/);
  });

  it('leaves directives where they count', () => {
    const read = 'typeof WebSocket; (function () { return this === undefined; })();';
    for (const [script, isStrict] of [
      [`"use strict";${read}`, true],
      [`// A comment\n/* and one */ 'use strict'\n${read}`, true],
      [`/*!\n * A licence **\n */\n/** and more */"use strict";\n${read}`, true],
      [`/* "use strict"; */ ${read}`, false],
      [`"use strict" + 1;${read}`, false],
      [read, false],
      [`#!/usr/bin/env node\n${read}`, false],
      [`#!/usr/bin/env node\r\n/* and a comment */\n'use strict';${read}`, true],
    ] as const) {
      const carried = withSocketShim(script, OPTIONS);
      class WebSocket {}
      const globals: Record<string, unknown> = {
        URL: {},
        WebSocket,
        EventTarget,
        fetch: () => undefined,
        addEventListener: () => undefined,
      };
      globals['self'] = globals;
      assert.equal(runInNewContext(carried, globals), isStrict, script);
      assert.equal(carried.split('\n').length, script.split('\n').length);
    }
  });

  it('leaves a hashbang first, also behind a byte order mark and without another line', () => {
    const hashbang = '#!/usr/bin/env WebSocket';
    for (const script of [hashbang, `${hashbang}\n${names}`, `\ufeff${hashbang}\n${names}`]) {
      const [first = ''] = script.split('\n');
      assert.ok(withSocketShim(script, OPTIONS).startsWith(first), script);
    }
  });

  it('is in a page before its first script, and after what says that it is a page', () => {
    const page = '<!doctype html>\n<html lang="en"><head>\n<script>1</script></head></html>';
    assert.match(
      pageWithSocketShim(page, OPTIONS),
      /^<!doctype html>\n<html lang="en"><head><script>.*<\/script>\n<script>1/,
    );
    const template = `<!-- <head> --><title>t</title><script>const frame = '<html><head></head></html>';</script>`;
    assert.match(
      pageWithSocketShim(template, OPTIONS),
      /^<!-- <head> --><script>.*<\/script><title>t<\/title><script>const frame = '<html><head><\/head>/,
    );
    assert.match(pageWithSocketShim('<p>bare', OPTIONS), /^<script>.*<\/script><p>bare$/);
    const [, own = ''] =
      /<script>(.*?)<\/script>/.exec(pageWithSocketShim(page, { ...OPTIONS, folder: '/</script>' })) ?? [];
    assert.match(own, /<\\\/script>/);
  });
});

describe('the hosts of ports', () => {
  it('are written as in the addresses that a browser asks for', () => {
    assert.deepEqual(hostsOf([80]), ['localhost', '127.0.0.1', '[::1]']);
    assert.deepEqual(hostsOf([5173]), ['localhost:5173', '127.0.0.1:5173', '[::1]:5173']);
    for (const port of [80, 443, 5173]) {
      assert.equal(hostsOf([port])[0], new URL(`http://localhost:${port}/path`).host);
      assert.equal(hostsOf([port])[0], new URL(`ws://localhost:${port}/path`).host);
    }
  });
});
