import { BrowserCommands } from './browserCommands';
import type { BrowserParts } from './browserWiring';
import { ContentCommands } from './contentCommands';
import { EnteredCommands } from './enteredCommands';
import { ProfileCommands } from './account/profileCommands';
import { SelectionCommands } from './selectionCommands';
import { StoredCommands } from './account/storedCommands';

/** The handlers of all commands for browsers, what is in them, profiles and stored extensions. */
export function browserHandlers(parts: BrowserParts) {
  const browsers = new BrowserCommands(parts);
  const contents = new ContentCommands(parts);
  const profiles = new ProfileCommands(parts);
  const stored = new StoredCommands(parts);
  return {
    ...browsers.handlers,
    ...contents.handlers,
    ...profiles.handlers,
    ...stored.handlers,
    ...new EnteredCommands(parts).handlers,
    ...new SelectionCommands(parts, { browsers, contents, profiles, stored }).handlers,
  };
}
