// What VS Code runs when Sideload was uninstalled (`vscode:uninstall` in package.json), from the folder that it then removes: it ends the local
// service of this editor with its browsers, which an agent's program can keep running. What was stored stays; "Remove All Data…" is for that.
import { realpath } from 'node:fs/promises';
import { dirname } from 'node:path';
import { sharedFolder } from '../push/turns/sharedFolder';
import { endLocalService } from '../service/localEnd';
import { forgetService, serviceNotes } from '../service/serviceNotes';

/** From dist/ over the folder of this version to that of all extensions. Node.js has followed links in it. */
const EXTENSIONS = dirname(dirname(__dirname));

async function endServices(): Promise<void> {
  const [folder, own] = [sharedFolder(), await realPath(EXTENSIONS)];
  for (const note of await serviceNotes(folder)) {
    if ((await realPath(note.extensions)) !== own) continue;
    await endLocalService(note.dataDir);
    await forgetService(folder, note);
  }
}

/** A path without links, in the one spelling that the disk has for it; as it is where there is nothing. */
async function realPath(path: string): Promise<string> {
  return await realpath(path).catch(() => path);
}

void endServices();
