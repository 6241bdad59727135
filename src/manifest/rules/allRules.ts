import { PHASES, type Rule } from '../rule';
import * as actionKeys from './actionKeys';
import { appKeyRule } from './appKeys';
import * as apps from './apps';
import * as background from './background';
import * as backgroundPages from './backgroundPages';
import { brokenWorkerRule } from './brokenWorker';
import * as commandKeys from './commandKeys';
import * as connections from './connections';
import * as contentScriptEntries from './contentScriptEntries';
import * as contentScripts from './contentScripts';
import { contentSecurityPolicyRule } from './contentSecurityPolicy';
import * as declarativeNetRequest from './declarativeNetRequest';
import * as declared from './declared';
import * as delivery from './delivery';
import * as events from './events';
import { fileHandlerRule } from './fileHandlers';
import * as hosts from './hosts';
import * as icons from './icons';
import * as identity from './identity';
import * as keyAvailability from './keyAvailability';
import * as locales from './locales';
import * as manifestVersion from './manifestVersion';
import { nestedKeyRule } from './nestedKeys';
import { mimeTypeHandlerRule } from './mimeTypes';
import * as optionsKeys from './optionsKeys';
import * as pageKeys from './pageKeys';
import * as permissions from './permissions';
import { strictJsonRule } from './standardJson';
import * as simpleKeys from './simpleKeys';
import * as sockets from './sockets';
import { speechEngineRule } from './speech';
import { managedStorageRule } from './storageKeys';
import * as storeCode from './storeCode';
import { pageFileRule } from './pageFiles';
import { packageFileRule } from './storeFiles';
import { unusedPermissionRule } from './storePermissions';
import { wideResourceRule } from './storeResources';
import * as strayFiles from './strayFiles';
import * as themes from './themes';
import { matchesNothingRule } from './unreachable';
import { webStoreRule } from './webStore';

/** Every rule about a parsed manifest, in Chromium's order: by stage, and within a stage as listed here. */
export const RULES: readonly Rule[] = [
  simpleKeys.publicKeyRule,
  identity.nameRule,
  identity.versionRule,
  identity.versionZeroRule,
  manifestVersion.missingManifestVersionRule,
  manifestVersion.manifestVersionTypeRule,
  manifestVersion.futureManifestVersionRule,
  ...simpleKeys.simpleKeyRules,
  keyAvailability.availabilityRule,
  keyAvailability.unknownKeyRule,
  nestedKeyRule,
  permissions.permissionTypeRule,
  permissions.permissionValueRule,
  permissions.permissionAvailabilityRule,
  permissions.unknownPermissionRule,
  permissions.optionalPermissionRule,
  hosts.hostPermissionRule,
  hosts.versionTwoHostRule,
  hosts.redundantHostRule,
  actionKeys.actionRule,
  apps.appLaunchRule,
  apps.appUrlRule,
  appKeyRule,
  fileHandlerRule,
  sockets.socketRule,
  sockets.usbPrinterRule,
  backgroundPages.backgroundPageRule,
  background.backgroundPermissionRule,
  background.workerValueRule,
  pageKeys.pageOverrideRule,
  commandKeys.commandRule,
  commandKeys.actionCommandRule,
  events.contentCapabilityRule,
  contentScriptEntries.contentScriptShapeRule,
  contentScriptEntries.contentScriptMatchRule,
  contentScriptEntries.emptyContentScriptRule,
  contentScriptEntries.contentScriptWorldRule,
  contentScriptEntries.originFallbackRule,
  contentScripts.contentScriptTypeRule,
  contentSecurityPolicyRule,
  ...declared.crossOriginRules,
  declarativeNetRequest.rulesetListRule,
  locales.defaultLocaleRule,
  pageKeys.devtoolsPageRule,
  events.eventRuleRule,
  connections.connectableRule,
  simpleKeys.fingerprintRule,
  simpleKeys.homepageRule,
  icons.iconKeyRule,
  icons.iconTypeRule,
  declared.importRule,
  declared.exportRule,
  declared.aboutPageRule,
  simpleKeys.incognitoRule,
  simpleKeys.serializationRule,
  mimeTypeHandlerRule,
  declared.nativelyConnectableRule,
  declared.oauthRule,
  declared.omniboxRule,
  declared.replacementAppRule,
  optionsKeys.optionsUiRule,
  optionsKeys.optionsPageRule,
  declared.requirementRule,
  pageKeys.sandboxRule,
  pageKeys.sidePanelRule,
  themes.themeRule,
  simpleKeys.trialTokensRule,
  speechEngineRule,
  simpleKeys.updateUrlRule,
  connections.accessibleResourceRule,
  simpleKeys.minimumVersionRule,
  locales.missingLocalesRule,
  locales.missingCatalogueRule,
  contentScripts.missingContentScriptRule,
  contentScripts.contentScriptEncodingRule,
  background.missingWorkerRule,
  backgroundPages.missingBackgroundRule,
  declared.missingAboutPageRule,
  icons.missingIconRule,
  actionKeys.missingPopupRule,
  optionsKeys.missingOptionsPageRule,
  declarativeNetRequest.rulesetPathRule,
  managedStorageRule,
  themes.missingThemeImageRule,
  locales.otherCatalogueRule,
  declarativeNetRequest.rulesetContentRule,
  manifestVersion.oldManifestVersionRule,
  declared.webglRule,
  strayFiles.underscoreRule,
  strayFiles.keyFileRule,
  strayFiles.illegalNameRule,
  brokenWorkerRule,
  matchesNothingRule,
  delivery.manifestLinkRule,
  delivery.sizeRule,
  delivery.secretRule,
  pageFileRule,
  strictJsonRule,
  webStoreRule,
  storeCode.remoteCodeRule,
  storeCode.scriptAddressRule,
  unusedPermissionRule,
  wideResourceRule,
  packageFileRule,
].toSorted((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase));
