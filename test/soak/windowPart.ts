import { mkdtemp, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { extensionHosts } from '../bench/screenProcesses';
import { processesWith, residentMib } from '../contract/processes';
import { ensureBrowser } from '../machine/browser';
import { windowAddress } from '../machine/server';
import { signalOne } from '../support/child';
import { eventually } from '../support/eventually';
import { readLocalService } from '../support/localService';
import { createBrowser, openBrowsers } from '../workbench/pushing';
import { closeWindow, openWindow } from '../workbench/window';
import { Workbench } from '../workbench/workbench';
import type { SoakPart } from './soakPart';
import type { Footprint } from './soakReport';

/** The browser of the first window, which the others list. */
const BROWSER = 'soak';

/** How long a process that was killed may take to be gone, in milliseconds. */
const GONE_MS = 30_000;

/**
 * Windows of VS Code beside a first one, each of which is opened, lists the browsers, and is killed with its extension host. Measured are the
 * host of the first window, and the local service that all of them share.
 */
export const windows: SoakPart = {
  name: 'windows',
  full: 10,
  isCostly: true,
  begin: async (stage) => {
    const first = await openWindow('soak');
    const { workbench, server } = first;
    await createBrowser(workbench, BROWSER);
    const service = await readLocalService(server.userDir);
    const [host] = extensionHosts(server.dataDir);
    if (!service || host === undefined) throw new Error('the first window has no local service');
    const browserPath = (await ensureBrowser(stage.report)).path;
    const measure = async (): Promise<Footprint> => ({
      memory: { 'the host': await residentMib(host), 'the service': await residentMib(service.pid) },
      counts: {
        'extension hosts': extensionHosts(server.dataDir).length,
        'processes of the server': (await processesWith(server.dataDir)).length,
        'handles of the host': (await readdir(`/proc/${host}/fd`)).length,
        'handles of the service': (await readdir(`/proc/${service.pid}/fd`)).length,
        'files and folders of the service': (
          await readdir(join(server.userDir, '..', '..'), { recursive: true })
        ).filter((name) => name.includes('/local/') && !name.includes('/sessions/')).length,
      },
    });
    return {
      measure,
      step: async () => {
        const folder = await mkdtemp(join(stage.root, 'window-'));
        const before = new Set(extensionHosts(server.dataDir));
        const begun = performance.now();
        const more = await Workbench.open(windowAddress(server, { folder }), { browserPath });
        await (await openBrowsers(more)).row(BROWSER).waitFor();
        const ms = performance.now() - begun;
        const hosts = extensionHosts(server.dataDir).filter((pid) => !before.has(pid));
        if (hosts.length === 0) throw new Error('the window has no extension host');
        // Before its window, which would have it end by itself.
        for (const pid of hosts) signalOne(pid, 'SIGKILL');
        await more.close();
        await eventually('the hosts are gone', () => extensionHosts(server.dataDir).length <= before.size, GONE_MS);
        return ms;
      },
      end: () => closeWindow(first),
    };
  },
};
