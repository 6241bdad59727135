import { PHASES, type Rule } from '../rule';
import { actionRule, missingPopupRule } from './actionKeys';
import { appKeyRule } from './appKeys';
import { appLaunchRule, appUrlRule } from './apps';
import { missingWorkerRule, workerValueRule } from './background';
import { backgroundPageRule, missingBackgroundRule } from './backgroundPages';
import { backgroundPermissionRule } from './backgroundPermissions';
import { brokenWorkerRule } from './brokenWorker';
import { actionCommandRule, commandRule } from './commandKeys';
import { accessibleResourceRule, connectableRule } from './connections';
import {
  contentScriptMatchRule,
  contentScriptShapeRule,
  contentScriptWorldRule,
  emptyContentScriptRule,
  originFallbackRule,
} from './contentScriptEntries';
import { contentScriptEncodingRule, contentScriptTypeRule, missingContentScriptRule } from './contentScripts';
import { contentSecurityPolicyRule } from './contentSecurityPolicy';
import { rulesetContentRule, rulesetListRule, rulesetPathRule } from './declarativeNetRequest';
import {
  aboutPageRule,
  crossOriginRules,
  exportRule,
  importRule,
  missingAboutPageRule,
  nativelyConnectableRule,
  oauthRule,
  omniboxRule,
  replacementAppRule,
  requirementRule,
  webglRule,
} from './declared';
import { manifestLinkRule, secretRule, sizeRule } from './delivery';
import { contentCapabilityRule, eventRuleRule } from './events';
import { fileHandlerRule } from './fileHandlers';
import { hostPermissionRule, redundantHostRule, versionTwoHostRule } from './hosts';
import { iconKeyRule } from './iconKeys';
import { iconTypeRule, missingIconRule } from './icons';
import { nameRule, versionRule, versionZeroRule } from './identity';
import { availabilityRule, unknownKeyRule } from './keyAvailability';
import { defaultLocaleRule, missingCatalogueRule, missingLocalesRule, otherCatalogueRule } from './locales';
import {
  futureManifestVersionRule,
  manifestVersionTypeRule,
  missingManifestVersionRule,
  oldManifestVersionRule,
} from './manifestVersion';
import { nestedKeyRule } from './nestedKeys';
import { mimeTypeHandlerRule } from './mimeTypes';
import { missingOptionsPageRule, optionsPageRule, optionsUiRule } from './optionsKeys';
import { devtoolsPageRule, pageOverrideRule, sandboxRule, sidePanelRule } from './pageKeys';
import {
  optionalPermissionRule,
  permissionAvailabilityRule,
  permissionTypeRule,
  permissionValueRule,
  unknownPermissionRule,
} from './permissions';
import { strictJsonRule } from './standardJson';
import {
  fingerprintRule,
  homepageRule,
  incognitoRule,
  minimumVersionRule,
  publicKeyRule,
  serializationRule,
  simpleKeyRules,
  trialTokensRule,
  updateUrlRule,
} from './simpleKeys';
import { socketRule, usbPrinterRule } from './sockets';
import { speechEngineRule } from './speech';
import { managedStorageRule } from './storageKeys';
import { illegalNameRule, keyFileRule, underscoreRule } from './strayFiles';
import { missingThemeImageRule, themeRule } from './themes';
import { matchesNothingRule } from './unreachable';
import { webStoreRule } from './webStore';

/** Every rule about a parsed manifest, in Chromium's order: by stage, and within a stage as listed here. */
export const RULES: readonly Rule[] = [
  publicKeyRule,
  nameRule,
  versionRule,
  versionZeroRule,
  missingManifestVersionRule,
  manifestVersionTypeRule,
  futureManifestVersionRule,
  ...simpleKeyRules,
  availabilityRule,
  unknownKeyRule,
  nestedKeyRule,
  permissionTypeRule,
  permissionValueRule,
  permissionAvailabilityRule,
  unknownPermissionRule,
  optionalPermissionRule,
  hostPermissionRule,
  versionTwoHostRule,
  redundantHostRule,
  actionRule,
  appLaunchRule,
  appUrlRule,
  appKeyRule,
  fileHandlerRule,
  socketRule,
  usbPrinterRule,
  backgroundPageRule,
  backgroundPermissionRule,
  workerValueRule,
  pageOverrideRule,
  commandRule,
  actionCommandRule,
  contentCapabilityRule,
  contentScriptShapeRule,
  contentScriptMatchRule,
  emptyContentScriptRule,
  contentScriptWorldRule,
  originFallbackRule,
  contentScriptTypeRule,
  contentSecurityPolicyRule,
  ...crossOriginRules,
  rulesetListRule,
  defaultLocaleRule,
  devtoolsPageRule,
  eventRuleRule,
  connectableRule,
  fingerprintRule,
  homepageRule,
  iconKeyRule,
  iconTypeRule,
  importRule,
  exportRule,
  aboutPageRule,
  incognitoRule,
  serializationRule,
  mimeTypeHandlerRule,
  nativelyConnectableRule,
  oauthRule,
  omniboxRule,
  replacementAppRule,
  optionsUiRule,
  optionsPageRule,
  requirementRule,
  sandboxRule,
  sidePanelRule,
  themeRule,
  trialTokensRule,
  speechEngineRule,
  updateUrlRule,
  accessibleResourceRule,
  minimumVersionRule,
  missingLocalesRule,
  missingCatalogueRule,
  missingContentScriptRule,
  contentScriptEncodingRule,
  missingWorkerRule,
  missingBackgroundRule,
  missingAboutPageRule,
  missingIconRule,
  missingPopupRule,
  missingOptionsPageRule,
  rulesetPathRule,
  managedStorageRule,
  missingThemeImageRule,
  otherCatalogueRule,
  rulesetContentRule,
  oldManifestVersionRule,
  webglRule,
  underscoreRule,
  keyFileRule,
  illegalNameRule,
  brokenWorkerRule,
  matchesNothingRule,
  manifestLinkRule,
  sizeRule,
  secretRule,
  strictJsonRule,
  webStoreRule,
].toSorted((a, b) => PHASES.indexOf(a.phase) - PHASES.indexOf(b.phase));
