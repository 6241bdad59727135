import { STAGES, type Rule } from '../rule';
import { missingWorkerRule } from './background';
import { contentScriptTypeRule, missingContentScriptRule } from './contentScripts';
import { iconTypeRule, missingIconRule } from './icons';
import { nameRule, versionRule, versionZeroRule } from './identity';
import {
  futureManifestVersionRule,
  manifestVersionTypeRule,
  missingManifestVersionRule,
  oldManifestVersionRule,
} from './manifestVersion';
import { strictJsonRule } from './service';

/** Every rule about a manifest that could be parsed, in Chromium's order: by stage, and within a stage as they stand here. */
export const RULES: readonly Rule[] = [
  nameRule,
  versionRule,
  versionZeroRule,
  missingManifestVersionRule,
  manifestVersionTypeRule,
  futureManifestVersionRule,
  contentScriptTypeRule,
  iconTypeRule,
  missingContentScriptRule,
  missingWorkerRule,
  missingIconRule,
  oldManifestVersionRule,
  strictJsonRule,
].toSorted((a, b) => STAGES.indexOf(a.stage) - STAGES.indexOf(b.stage));
