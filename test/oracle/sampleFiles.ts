import type { Json } from '../support/json';

const RULES: Json = [
  {
    id: 1,
    priority: 1,
    action: { type: 'block' },
    condition: { urlFilter: '||ads.example^', resourceTypes: ['script', 'image'] },
  },
  {
    id: 2,
    priority: 2,
    action: { type: 'redirect', redirect: { extensionPath: '/pages/about.html' } },
    condition: { urlFilter: '|https://a.example/*', isUrlFilterCaseSensitive: false, domainType: 'thirdParty' },
  },
  {
    id: 3,
    action: { type: 'redirect', redirect: { regexSubstitution: 'https://b.example/\\1' } },
    condition: {
      regexFilter: '^https?://a\\.example/(.*)$',
      initiatorDomains: ['a.example'],
      resourceTypes: ['main_frame'],
    },
  },
  {
    id: 4,
    action: {
      type: 'redirect',
      redirect: {
        transform: {
          scheme: 'https',
          host: 'new.example',
          port: '8080',
          queryTransform: { removeParams: ['utm'], addOrReplaceParams: [{ key: 'a', value: 'b' }] },
        },
      },
    },
    condition: {
      requestDomains: ['old.example'],
      excludedResourceTypes: ['websocket'],
      requestMethods: ['get', 'post'],
    },
  },
  {
    id: 5,
    action: {
      type: 'modifyHeaders',
      requestHeaders: [{ header: 'Cookie', operation: 'remove' }],
      responseHeaders: [{ header: 'X-Frame-Options', operation: 'set', value: 'DENY' }],
    },
    condition: { urlFilter: 'example', excludedInitiatorDomains: ['b.example'], excludedRequestMethods: ['head'] },
  },
];

const MORE_RULES: Json = [
  {
    id: 1,
    action: { type: 'allowAllRequests' },
    condition: { urlFilter: '||example.com', resourceTypes: ['main_frame', 'sub_frame'] },
  },
  {
    id: 2,
    action: { type: 'upgradeScheme' },
    condition: { urlFilter: 'http://*', excludedRequestDomains: ['c.example'] },
  },
  {
    id: 3,
    action: { type: 'redirect', redirect: { url: 'https://example.com/' } },
    condition: { domains: ['d.example'], topDomains: ['e.example'] },
  },
  {
    id: 4,
    action: { type: 'allow' },
    condition: {
      responseHeaders: [{ header: 'x-a', values: ['b*'], excludedValues: ['c'] }],
      excludedResponseHeaders: [{ header: 'x-b' }],
    },
  },
];

const MESSAGES: Json = {
  title: { message: 'A title', description: 'Of the button.' },
  description: { message: 'Does $WHAT$ for $1', placeholders: { what: { content: 'things', example: 'x' } } },
};

const SCHEMA: Json = {
  type: 'object',
  properties: {
    choice: { title: 'Choice', description: 'What is chosen.', type: 'string', enum: ['a', 'b'] },
    count: { type: 'integer', minimum: 0, maximum: 10 },
    list: {
      type: 'array',
      items: { type: 'object', properties: { on: { type: 'boolean' } }, additionalProperties: { type: 'number' } },
    },
    names: { type: 'object', patternProperties: { '^a': { $ref: 'Name' } } },
    name: { id: 'Name', type: 'string', pattern: '^[a-z]*$' },
  },
};

const PIXEL = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8BQDwAEhQGAhKmMIQAAAABJRU5ErkJggg==';

/** The files of an extension that `SAMPLE_VALUES` name, without the catalogues. */
export const SAMPLE_FILES: Readonly<Record<string, string | { base64: string }>> = {
  'background.js': 'chrome.runtime.onInstalled.addListener(() => {});\n',
  'lib/tool.js': '/* A tool. */\n',
  'content/main.js': 'document.title += "";\n',
  'content/main.css': 'body { color: inherit }\n',
  ...Object.fromEntries(
    ['about', 'background', 'devtools', 'options', 'popup'].map((name) => [`pages/${name}.html`, '<!doctype html>\n']),
  ),
  ...Object.fromEntries(['16', '48', '128'].map((size) => [`icons/${size}.png`, { base64: PIXEL }])),
  'rules/first.json': JSON.stringify(RULES),
  'rules/second.json': JSON.stringify(MORE_RULES),
  'rules/schema.json': JSON.stringify(SCHEMA),
};

/** The catalogues of an extension in three languages. */
export const SAMPLE_CATALOGUES: Readonly<Record<string, string>> = Object.fromEntries(
  ['en', 'de', 'pt_BR'].map((locale) => [`_locales/${locale}/messages.json`, JSON.stringify(MESSAGES)]),
);
