import assert from 'node:assert/strict';
import fc from 'fast-check';
import { compileGlobs } from '../../src/archive/globs';
import { readOptions, UsageError as ServiceUsageError } from '../../src/local/commandLine';
import { pageAddress, webAddress } from '../../src/manifest/typedAddress';
import { isHost, parseAddress } from '../../src/manifest/values/addressRules';
import { covers, parseMatchPattern, showPattern } from '../../src/manifest/values/matchPattern';
import { isPemKey } from '../../src/manifest/values/pemKey';
import { compileRegex, RegexFault } from '../../src/manifest/values/re2';
import { parseShortcut } from '../../src/manifest/values/shortcut';
import { isSocketPattern } from '../../src/manifest/values/socketPattern';
import { parseVersion, parseVersionNumber } from '../../src/manifest/values/version';
import { readCli, UsageError } from '../../src/programs/cliOptions';
import { readMcpOptions } from '../../src/programs/mcpOptions';
import { publishedId } from '../../src/publish/storeDownload';
import { parsePoint } from '../../src/screen/rememberedState';
import { devToolsAddress } from '../../src/service/devToolsAddress';
import { AddressError, parseBaseUrl, parseProject, ProjectError } from '../../src/service/serviceAddress';
import { ServiceError } from '../../src/service/serviceErrors';
import { textOf } from './inputs';
import { target, type FuzzTarget } from './target';

const addresses = textOf(
  ...['http', 'https', 'ws', 'wss', 'file', '*', '://', ':', '/', '//', '@', '?', '#', '.', '*.', '[', ']', '::1'],
  ...[
    'localhost',
    '127.0.0.1',
    'a.test',
    'xn--',
    'é',
    '%41',
    '%',
    '8080',
    '-1',
    ' ',
    '\t',
    '<all_urls>',
    'chrome-extension',
  ],
);

const CLOUD = new URL('https://api.test');

/** Longer arguments are left out: Node's `parseArgs` takes quadratic time of a group of short options, and who starts a program chooses them. */
const LONGEST_ARGUMENT = 1000;

const argument = fc
  .oneof(
    textOf('check', 'push', 'run', 'test', 'pack', 'doctor', '-', '--', '=', 'a', ',', '5173', ' '),
    fc.constantFrom(
      ...[
        'check',
        'push',
        'run',
        'test',
        'pack',
        'doctor',
        '.',
        '--json',
        '--store',
        '--out',
        'x',
        '--localhost',
        '5173,8080',
      ],
      ...['--exec', '--update-from', '--storage', '--exclude', '--root', '--data-dir', '--port', '80', '--token', '--'],
    ),
  )
  .map((text) => text.slice(0, LONGEST_ARGUMENT));

/** Values that people write. */
export const TEXT_TARGETS: readonly FuzzTarget[] = [
  target('command lines', {
    usual: 500,
    inputs: fc.array(argument, { maxLength: 8 }),
    run: (args) => {
      for (const read of [readCli, readMcpOptions, readOptions]) {
        try {
          read(args);
        } catch (error) {
          if (error instanceof UsageError || error instanceof ServiceUsageError) continue;
          throw error;
        }
      }
    },
  }),
  target('match patterns', {
    usual: 500,
    inputs: addresses,
    run: (text) => {
      const result = parseMatchPattern(text, 'any');
      isSocketPattern(text, { takesAddress: true });
      if (!('pattern' in result)) return;
      const again = parseMatchPattern(showPattern(result.pattern), 'any');
      assert.deepEqual(again, result, 'it is another pattern when it is written again');
      assert(covers(result.pattern, result.pattern), 'it does not cover itself');
    },
  }),
  target('addresses', {
    usual: 500,
    inputs: addresses,
    run: (text) => {
      isHost(text);
      parseAddress(text);
      webAddress(text);
      pageAddress('a'.repeat(32), text);
      publishedId(text);
    },
  }),
  target('addresses of services', {
    usual: 500,
    inputs: addresses,
    run: (text) => {
      const url = parseBaseUrl(text);
      assert.equal(parseBaseUrl(url.href).href, url.href);
      assert(
        url.protocol === 'https:' || url.hostname === 'localhost' || /^(\[::1\]|127\.0\.0\.1)$/.test(url.hostname),
      );
    },
    mayThrow: (error) => error instanceof AddressError,
  }),
  target('addresses of DevTools', {
    usual: 500,
    inputs: addresses,
    run: (text) => {
      const { protocol, hostname } = new URL(devToolsAddress(text, CLOUD));
      assert(protocol === 'wss:' && !/^(localhost|127\.0\.0\.1|\[::1\])$/.test(hostname), 'a secret way home');
    },
    mayThrow: (error) => error instanceof ServiceError,
  }),
  target('names of projects', {
    inputs: textOf('a', ' ', 'é', '\n', '\0'),
    run: (text) => parseProject(text),
    mayThrow: (error) => error instanceof ProjectError,
  }),
  target('globs', {
    inputs: fc.tuple(
      fc.array(
        textOf(
          '*',
          '**',
          '/',
          '!',
          '(',
          ')',
          '|',
          '{',
          '}',
          ',',
          '[',
          ']',
          '?',
          '+',
          '@',
          '\\',
          '.',
          'a',
          'b.js',
          '..',
        ),
      ),
      fc.array(textOf('a', '/', 'b.js', '.', 'aaaaaaaaaaaaaaaa'), { minLength: 1, maxLength: 5 }),
    ),
    run: ([globs, paths]) => {
      const { match, reachesInto } = compileGlobs(globs);
      for (const path of paths) {
        match(path);
        reachesInto(path);
      }
    },
  }),
  target('regular expressions of rules', {
    inputs: fc.tuple(
      textOf(
        '(',
        ')',
        '[',
        ']',
        '*',
        '+',
        '?',
        '{2}',
        '{1,1000}',
        '|',
        '\\',
        '^',
        '$',
        '.',
        'a',
        '(?i)',
        '(?<x>',
        '(?=',
        '\\C',
        '\\p{L}',
        '[:alpha:]',
      ),
      textOf('a', '(', 'aaaaaaaaaaaaaaaaaaaaaaaa'),
    ),
    run: ([pattern, text]) => compileRegex(pattern).matcher(text).find(),
    mayThrow: (error) => error instanceof RegexFault,
  }),
  target('versions, shortcuts and keys', {
    usual: 500,
    inputs: textOf(
      '1',
      '.',
      '0',
      '65536',
      '+',
      'Ctrl',
      'Shift',
      'Y',
      'MediaStop',
      '-----BEGIN',
      'KEY-----',
      '-----END',
      'AAAA',
      '=',
      '\n',
      ' ',
    ),
    run: (text) => {
      parseVersion(text);
      parseVersionNumber(text);
      for (const platform of ['mac', 'default', 'chromeos']) parseShortcut(text, platform, true);
      isPemKey(text);
    },
  }),
  target('points on the screen', {
    usual: 500,
    inputs: textOf('1', '9', ',', ';', ' ', '-', '.', 'e'),
    run: (text) => {
      const point = parsePoint(text, { width: 800, height: 600 });
      assert(!point || (point.x >= 0 && point.x < 800 && point.y >= 0 && point.y < 600));
    },
  }),
];
