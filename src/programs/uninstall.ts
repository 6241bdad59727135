// What VS Code runs when Sideload was uninstalled (`vscode:uninstall` in package.json), from the folder that it then removes: it ends the local
// service of this editor with its browsers, which an agent's program can keep running. What was stored stays; "Remove All Data…" is for that.
import { dirname } from 'node:path';
import { sharedFolder } from '../push/turns/sharedFolder';
import { endLocalService } from '../service/localEnd';
import { serviceNotes } from '../service/serviceNotes';

/** From dist/ over the folder of this version to that of all extensions. */
const EXTENSIONS = dirname(dirname(__dirname));

async function endServices(): Promise<void> {
  const notes = await serviceNotes(sharedFolder());
  const own = notes.filter(({ extensions }) => extensions === EXTENSIONS);
  await Promise.all(own.map(({ dataDir }) => endLocalService(dataDir)));
}

void endServices();
