import { BOOLEAN, choice, dictionary, INTEGER, listOf, STRING } from '../shape/shape';

const RESOURCE_TYPES = [
  ...['main_frame', 'sub_frame', 'stylesheet', 'script', 'image', 'font', 'object', 'xmlhttprequest', 'ping'],
  ...['csp_report', 'media', 'websocket', 'webtransport', 'webbundle', 'other'],
] as const;

/** The number of resource types. */
export const RESOURCE_TYPE_COUNT = RESOURCE_TYPES.length;

const RESOURCE_TYPE = choice('ResourceType', ...RESOURCE_TYPES);
const REQUEST_METHOD = choice(
  'RequestMethod',
  ...['connect', 'delete', 'get', 'head', 'options', 'patch', 'post', 'put', 'other'],
);

const HEADER_INFO = dictionary({
  header: STRING,
  'values?': listOf(STRING),
  'excludedValues?': listOf(STRING),
});

const CONDITION = dictionary({
  'urlFilter?': STRING,
  'regexFilter?': STRING,
  'isUrlFilterCaseSensitive?': BOOLEAN,
  'initiatorDomains?': listOf(STRING),
  'excludedInitiatorDomains?': listOf(STRING),
  'requestDomains?': listOf(STRING),
  'excludedRequestDomains?': listOf(STRING),
  'topDomains?': listOf(STRING),
  'excludedTopDomains?': listOf(STRING),
  'domains?': listOf(STRING),
  'excludedDomains?': listOf(STRING),
  'resourceTypes?': listOf(RESOURCE_TYPE),
  'excludedResourceTypes?': listOf(RESOURCE_TYPE),
  'requestMethods?': listOf(REQUEST_METHOD),
  'excludedRequestMethods?': listOf(REQUEST_METHOD),
  'domainType?': choice('DomainType', 'firstParty', 'thirdParty'),
  'tabIds?': listOf(INTEGER),
  'excludedTabIds?': listOf(INTEGER),
  'responseHeaders?': listOf(HEADER_INFO),
  'excludedResponseHeaders?': listOf(HEADER_INFO),
});

const MODIFIED_HEADERS = listOf(
  dictionary({
    header: STRING,
    operation: choice('HeaderOperation', 'append', 'set', 'remove'),
    'value?': STRING,
    'regexFilter?': STRING,
    'regexSubstitution?': STRING,
  }),
);

const TRANSFORM = dictionary({
  'scheme?': STRING,
  'host?': STRING,
  'port?': STRING,
  'path?': STRING,
  'query?': STRING,
  'queryTransform?': dictionary({
    'removeParams?': listOf(STRING),
    'addOrReplaceParams?': listOf(dictionary({ key: STRING, value: STRING, 'replaceOnly?': BOOLEAN })),
  }),
  'fragment?': STRING,
  'username?': STRING,
  'password?': STRING,
});

/** A rule of declarativeNetRequest. Chromium ignores a rule of another shape with a warning (R-DNR-PARSE), measured on Chromium 156. */
export const RULE_SHAPE = dictionary({
  id: INTEGER,
  'priority?': INTEGER,
  condition: CONDITION,
  action: dictionary({
    type: choice('RuleActionType', 'block', 'redirect', 'allow', 'upgradeScheme', 'modifyHeaders', 'allowAllRequests'),
    'redirect?': dictionary({
      'extensionPath?': STRING,
      'transform?': TRANSFORM,
      'url?': STRING,
      'regexSubstitution?': STRING,
    }),
    'requestHeaders?': MODIFIED_HEADERS,
    'responseHeaders?': MODIFIED_HEADERS,
  }),
});
