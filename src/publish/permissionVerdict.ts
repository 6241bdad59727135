import type { JsonDocument } from '../manifest/document';
import type { JsonPath } from '../manifest/finding';

/** What an update means for the permissions of those who have the extension. */
export interface PermissionVerdict {
  /** Whether Chromium disables the updated extension until its user agrees. */
  isAskedAgain: boolean;
  /** What in the new manifest asks for more, and the text that people are asked about because of it. */
  causes: readonly { path: JsonPath; name: string; warning?: string }[];
}

/** The rule that compares the manifests of two versions. */
export type PermissionRule = (before: JsonDocument, after: JsonDocument) => PermissionVerdict;
