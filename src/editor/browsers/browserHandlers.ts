import { BrowserCommands } from './browserCommands';
import type { BrowserWiring } from './browserWiring';
import { ContentCommands } from './contentCommands';
import { EnteredCommands } from './enteredCommands';
import { ProfileCommands } from './account/profileCommands';
import { SelectionCommands } from './selectionCommands';
import { StoredCommands } from './account/storedCommands';

/** The handlers of all commands for browsers, what is in them, profiles and stored extensions. */
export function browserHandlers(wiring: BrowserWiring) {
  const browsers = new BrowserCommands(wiring);
  const contents = new ContentCommands(wiring);
  const profiles = new ProfileCommands(wiring);
  const stored = new StoredCommands(wiring);
  return {
    ...browsers.handlers,
    ...contents.handlers,
    ...profiles.handlers,
    ...stored.handlers,
    ...new EnteredCommands(wiring).handlers,
    ...new SelectionCommands(wiring, { browsers, contents, profiles, stored }).handlers,
  };
}
