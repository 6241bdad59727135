import { ARCHIVE_TARGETS } from './archiveTargets';
import { CODE_TARGETS } from './codeTargets';
import { MANIFEST_TARGETS } from './manifestTargets';
import { MESSAGE_TARGETS } from './messageTargets';
import type { FuzzTarget } from './target';
import { TEXT_TARGETS } from './textTargets';
import { WIRE_TARGETS } from './wireTargets';

/** All parsers and decoders of the product. */
export const TARGETS: readonly FuzzTarget[] = [
  ...MANIFEST_TARGETS,
  ...ARCHIVE_TARGETS,
  ...CODE_TARGETS,
  ...TEXT_TARGETS,
  ...WIRE_TARGETS,
  ...MESSAGE_TARGETS,
];
