import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { gzipSync } from 'node:zlib';
import { LOOPBACK_HOSTS } from '../../src/base/loopback';
import { headerBytes } from '../../src/bridge/pausedRequest';
import { newFolder } from '../../src/bridge/socketMessages';
import { withSocketShim } from '../../src/bridge/socketShim';
import { type ConnectionWiring, realWiring } from '../../src/devtools/protocol/connect';
import { dose } from '../runner/seed';
import { DevServer } from '../standins/devServer';
import { type Site, startSite } from '../standins/site';
import { eventually } from '../support/eventually';
import { BridgeStage, SOON_MS } from './bridgeStage';

/** How long the requests of a hostile page are awaited, in milliseconds: one that is not refused arrives within it. */
const SETTLE_MS = 1500;

/** After how long without work Chromium ends a worker, in milliseconds: in the usual dose with time for a busy machine. */
const SLEEP_LIMIT_MS = dose(60_000, 35_000);

/** How many workers of how many extensions sleep. */
const SLEEPERS = dose(1, 10);

/** How often a hostile page is opened. */
const ROUNDS = dose(3, 100);

/** The largest answer that is carried, in bytes. */
const LARGEST_BYTES = 32 * 1024 * 1024;

/** How long that may take, in milliseconds: it goes through four processes, and as base64. */
const CARRY_LIMIT_MS = 120_000;

/** How often the connection is lost. */
const CUTS = dose(3, 20);

describe('a bridge to localhost', function () {
  this.timeout(120_000 + ROUNDS * 5000);
  let stage: BridgeStage;
  let server: DevServer;
  let other: DevServer;
  let id: string;
  /** What the server answers, by path. */
  let scripts: Record<string, string> = {};

  before(async () => {
    other = await DevServer.start();
    stage = await BridgeStage.start(({ path }, response) => {
      if (path === '/redirect.js') response.writeHead(302, { location: '/redirected.js' }).end();
      else if (path === '/cookies') {
        const cookies = ['a=1', 'b=2; HttpOnly', `c=${headerBytes('ä€')}`];
        response.writeHead(200, { 'set-cookie': cookies }).end(Buffer.from('cookies'));
      } else if (path === '/missing.js') response.writeHead(404).end();
      else if (path === '/compressed') response.setHeader('content-encoding', 'gzip').end(gzipSync('compressed'));
      else if (path === '/phrase') response.writeHead(200, headerBytes('Schön €')).end();
      else if (path === '/no-phrase') response.writeHead(299, '').end();
      else if (path === '/large') response.end(Buffer.alloc(33 * 1024 * 1024));
      else if (path === '/largest') response.end(Buffer.alloc(LARGEST_BYTES));
      else if (path === '/broken.js')
        response.writeHead(200, { 'content-length': '100' }).write('part', () => response.destroy());
      else if (scripts[path] !== undefined) {
        response.setHeader('content-type', path.endsWith('.js') ? 'text/javascript' : 'text/html').end(scripts[path]);
      } else return false;
      return true;
    });
    ({ server } = stage);
    const { origin } = server;
    const page = `<title>Own</title><script src="${origin}/classic.js"></script><script type="module" src="${origin}/module.js"></script>
      <img src="${origin}/image"><iframe src="inner.html"></iframe><iframe src="${origin}/frame"></iframe>`;
    id = await stage.load(
      {
        content_security_policy: { extension_pages: `script-src 'self' ${origin}; object-src 'self'` },
        host_permissions: ['http://localhost/*'],
        background: { service_worker: 'worker.js', type: 'module' },
      },
      `import '${origin}/worker.js'; globalThis.started = 1;`,
      {
        'page.html': page,
        'inner.html': `<script src="${origin}/inner.js"></script>`,
      },
    );
  });

  after(async () => {
    await other.close();
    await stage.end();
  });

  afterEach(() => stage.stop());

  it('is needed: without it the browser reaches none of the servers', async () => {
    const { page, targetId } = await stage.plain();
    assert.equal(await stage.ask(page, '/without'), 'TypeError');
    assert.deepEqual(server.received, []);
    await stage.devtools.closePage(targetId);
  });

  it('answers pages, frames, images, scripts and modules of the extension', async () => {
    await stage.startBridge();
    const { targetId } = await stage.open(`chrome-extension://${id}/page.html`);
    const paths = ['/classic.js', '/frame', '/image', '/inner.js', '/module.js'];
    await eventually(
      () => `${paths.join()}, not ${server.paths.join()}; ${JSON.stringify(stage.refusals())}`,
      () => paths.every((path) => server.paths.includes(path)),
      SOON_MS,
    );
    assert.deepEqual(stage.refusals(), {});
    await stage.devtools.closePage(targetId);
  });

  it('answers a worker that begins with a module of the server, which does not start without', async () => {
    assert.notEqual(await stage.extensions.inWorker(id, 'globalThis.started').catch(() => 'no worker'), 1);
    await stage.startBridge();
    assert.equal(await stage.extensions.link.reload(id), true);
    const hasStarted = async (): Promise<boolean> => (await stage.extensions.inWorker(id, 'globalThis.started')) === 1;
    await eventually('the worker has started', () => hasStarted().catch(() => false), SOON_MS);
    assert.deepEqual(server.paths, ['/worker.js']);
  });

  it('carries methods, bodies, headers, redirects, errors and cookies as they are', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.plain();
    const sent = `, { method: 'PUT', body: new Uint8Array([0, 255, 10]), headers: { 'x-mine': 'yes' } }`;
    assert.match(String(await stage.ask(page, '/put?a=%20b', sent)), /^200 /);
    const put = server.received.find(({ method }) => method === 'PUT');
    assert.deepEqual(
      [put?.path, put?.headers['x-mine'], put?.headers.host, put?.headers.origin, [...(put?.body ?? [])]],
      ['/put?a=%20b', 'yes', `localhost:${server.port}`, `chrome-extension://${id}`, [0, 255, 10]],
    );
    assert.equal(await stage.ask(page, '/missing.js'), '404 ');
    assert.match(String(await stage.ask(page, '/redirect.js')), /^200 .*redirected/);
    assert.equal(await stage.ask(page, '/compressed'), '200 compressed');
    const status = (path: string): Promise<unknown> =>
      page.evaluate(`fetch('${server.origin}${path}').then((answer) => answer.status + ' ' + answer.statusText)`);
    assert.equal(await status('/phrase'), `200 ${headerBytes('Schön €')}`);
    assert.equal(await status('/no-phrase'), '299 ');
    const length = `fetch('${server.origin}/length').then(({ headers }) => headers.get('content-length'))`;
    assert.equal(await page.evaluate(length), String('<title>/length</title>'.length));
    const first = await stage.open(`${server.origin}/cookies`);
    await eventually(
      'the cookies are set',
      async () => (await first.page.evaluate('document.cookie')) === 'a=1; c=ä€',
      SOON_MS,
    );
    server.received.length = 0;
    await first.page.evaluate(`fetch('/again').then(() => 1)`);
    assert.equal(server.received[0]?.headers.cookie, `a=1; b=2; c=${headerBytes('ä€')}`);
    for (const each of [targetId, first.targetId]) await stage.devtools.closePage(each);
  });

  it('carries an answer of 32 MB', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.plain();
    const largest = `fetch('${server.origin}/largest').then((answer) => answer.arrayBuffer())`;
    const length = await page.evaluate(`${largest}.then(({ byteLength }) => byteLength, String)`, CARRY_LIMIT_MS);
    assert.equal(length, LARGEST_BYTES);
    await stage.devtools.closePage(targetId);
  });

  it('tells what it cannot carry: an answer that is too large, one that takes too long, and one that breaks off', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.plain();
    assert.match(String(await stage.ask(page, '/large')), /^502 .*32 MB/s);
    assert.equal(await stage.ask(page, '/broken.js'), 'TypeError');
    await stage.devtools.closePage(targetId);
  });

  it('lets a server that is down look down, and answers again when it is back', async () => {
    const started = await stage.startBridge();
    const { page, targetId } = await stage.plain();
    await server.close();
    assert.equal(await stage.ask(page, '/down'), 'TypeError');
    assert.equal(started.requests.isListening(server.port), false);
    await server.listen();
    assert.match(String(await stage.ask(page, '/back')), /^200 /);
    assert.equal(started.requests.isListening(server.port), true);
    await stage.devtools.closePage(targetId);
  });

  it('answers what runs since before it was started, and nothing after its end', async () => {
    const { page, targetId } = await stage.plain();
    assert.equal(await stage.ask(page, '/before'), 'TypeError');
    const started = await stage.startBridge();
    assert.match(String(await stage.ask(page, '/since')), /^200 /);
    started.close();
    assert.equal(await stage.ask(page, '/after'), 'TypeError');
    await stage.devtools.closePage(targetId);
  });

  it('answers again when its connection was lost, also what runs', async () => {
    let cut = (): void => undefined;
    const wiring: ConnectionWiring = {
      ...realWiring,
      open: async (...args) => {
        const transport = await realWiring.open(...args);
        cut = (): void => {
          transport.close();
        };
        return transport;
      },
    };
    await stage.startBridge({ wiring });
    const { page, targetId } = await stage.plain();
    assert.match(String(await stage.ask(page, '/first')), /^200 /);
    for (let time = 0; time < CUTS; time++) {
      cut();
      await eventually(
        'it answers again',
        async () => String(await stage.ask(page, `/again-${time}`)).startsWith('200 '),
        SOON_MS,
      );
    }
    await stage.devtools.closePage(targetId);
  });

  it('answers again when its connection is lost while it has what runs answered', async () => {
    let cuts = 0;
    let [connection, cut] = [0, (): void => undefined];
    const wiring: ConnectionWiring = {
      ...realWiring,
      open: async (...args) => {
        const transport = await realWiring.open(...args);
        const send = transport.send.bind(transport);
        const isSecond = (connection += 1) === 2;
        transport.send = (text: string): void => {
          send(text);
          if (!isSecond || !text.includes('Target.attachToTarget')) return;
          cuts += 1;
          transport.close();
        };
        cut = (): void => {
          transport.close();
        };
        return transport;
      },
    };
    await stage.startBridge({ wiring });
    const { page, targetId } = await stage.plain();
    assert.match(String(await stage.ask(page, '/before')), /^200 /);
    cut();
    const answers = async (): Promise<boolean> => String(await stage.ask(page, '/after')).startsWith('200 ');
    await eventually('it answers again', async () => cuts > 0 && connection > 2 && (await answers()), SOON_MS);
    await stage.devtools.closePage(targetId);
  });

  it('answers whatever name of the machine is asked for', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.plain();
    for (const host of LOOPBACK_HOSTS) {
      const address = `http://${host}:${server.port}/named`;
      assert.equal(await page.evaluate(`fetch('${address}').then(({ status }) => status, String)`), 200, address);
    }
    assert.deepEqual(
      server.received.map(({ headers }) => headers.host),
      [...LOOPBACK_HOSTS].map((host) => `${host}:${server.port}`),
    );
    await stage.devtools.closePage(targetId);
  });

  it('answers at other ports when those are allowed', async () => {
    const started = await stage.startBridge();
    await started.update({ ports: [] });
    await started.update({ ports: [server.port] });
    const { page, targetId: next } = await stage.plain();
    assert.match(String(await stage.ask(page, '/ports')), /^200 /);
    await stage.devtools.closePage(next);
  });

  it('reaches the ports that are allowed, and no other', async () => {
    await stage.startBridge();
    const { page, targetId } = await stage.plain();
    const wrong = `fetch('${other.origin}/wrong').then(() => 'reached', (error) => error.name)`;
    assert.equal(await page.evaluate(wrong), 'TypeError');
    assert.deepEqual(other.received, []);
    await stage.devtools.closePage(targetId);
  });

  it('is not for other extensions', async () => {
    await stage.startBridge({ extensionIds: [] });
    const { page, targetId } = await stage.plain();
    assert.equal(await stage.ask(page, '/foreign-extension'), 'TypeError');
    assert.deepEqual(server.received, []);
    assert.deepEqual(stage.refusals(), { '/foreign-extension': 'foreignPage' });
    await stage.devtools.closePage(targetId);
  });

  it(`attaches to nothing, and lets ${SLEEPERS} of ${SLEEPERS} workers fall asleep`, async () => {
    const ids = [id];
    while (ids.length < SLEEPERS) ids.push((await stage.extensions.load({})).id);
    await stage.startBridge({ extensionIds: ids });
    const workers = async (): Promise<{ attached: boolean }[]> => {
      const { targetInfos } = await stage.devtools.result('Target.getTargets');
      assert(Array.isArray(targetInfos));
      const infos = targetInfos as { type: string; url: string; attached: boolean }[];
      return infos.filter(({ type, url }) => type === 'service_worker' && ids.some((one) => url.includes(one)));
    };
    await eventually('no worker runs', async () => (await workers()).length === 0, SLEEP_LIMIT_MS);
    await Promise.all(ids.map((one) => stage.extensions.link.reload(one)));
    let seen: { attached: boolean }[] = [];
    await eventually('the workers run', async () => (seen = await workers()).length === SLEEPERS, SOON_MS);
    assert.ok(seen.every(({ attached }) => !attached));
    await eventually('the workers sleep', async () => (await workers()).length === 0, SLEEP_LIMIT_MS);
  });

  describe('and websockets', () => {
    /** What scripts of pages and workers do with a socket, which they name. */
    const SCRIPT = `globalThis.talk = (url, protocols) => new Promise((resolve) => {
      const said = [];
      const socket = new WebSocket(url, protocols);
      socket.binaryType = 'arraybuffer';
      socket.onopen = () => {
        said.push('open ' + socket.protocol + ' ' + (socket instanceof WebSocket) + ' ' + socket.readyState);
        for (let at = 0; at < 20; at++) socket.send('text ' + at);
        socket.send(new Uint8Array([0, 1, 255]));
        socket.send('close');
      };
      socket.addEventListener('message', ({ data }) => said.push(typeof data === 'string' ? data : [...new Uint8Array(data)].join()));
      socket.onerror = () => said.push('error');
      socket.onclose = ({ code, reason, wasClean }) => resolve([...said, 'close ' + code + ' ' + reason + ' ' + wasClean]);
    });`;
    const texts = Array.from({ length: 20 }, (_, at) => `text ${at}`);
    const said = ['open chat true 1', ...texts, '0,1,255', 'close 4001 as asked true'];
    const talk = (): string => `globalThis.talk('ws://localhost:${server.port}/socket', ['chat'])`;

    it('carries those of pages that the server answers, with their order, kinds, protocols and ends', async () => {
      await stage.startBridge();
      scripts = {
        '/talk.js': SCRIPT,
        '/app': `<!doctype html><html><head><title>App</title></head><script src="/talk.js"></script></html>`,
      };
      const { page, targetId } = await stage.open(`${server.origin}/app`);
      assert.deepEqual(await page.evaluate(talk()), said);
      await eventually('none is left', () => server.sockets.size === 0 && stage.bridge?.socketCount === 0, SOON_MS);
      await stage.devtools.closePage(targetId);
    });

    it('carries those of scripts whose digest the page names, which stay as they are', async () => {
      await stage.startBridge();
      const integrity = `sha256-${createHash('sha256').update(SCRIPT).digest('base64')}`;
      scripts = { '/talk.js': SCRIPT, '/checked': `<script src="/talk.js" integrity="${integrity}"></script>` };
      const { page, targetId } = await stage.open(`${server.origin}/checked`);
      assert.deepEqual(await page.evaluate(talk()), said);
      await stage.devtools.closePage(targetId);
    });

    it('carries those of scripts within a page, whatever name of the machine they use', async () => {
      await stage.startBridge();
      scripts = { '/inline': `<title>Inline</title><script>${SCRIPT}</script>` };
      for (const host of LOOPBACK_HOSTS) {
        const { page, targetId } = await stage.open(`http://${host}:${server.port}/inline`);
        assert.deepEqual(await page.evaluate(talk().replace('localhost', host)), said);
        await stage.devtools.closePage(targetId);
      }
    });

    it('carries those of a worker and of a content script in a page of others, whose files have the shim', async () => {
      const started = await stage.startBridge({ extensionIds: [] });
      const site = await startSite('<title>Site</title>');
      const matches = ['http://127.0.0.1/*'];
      const files = {
        'content.js': withSocketShim(
          `${SCRIPT}; chrome.runtime.onMessage.addListener((_a, _b, answer) => { ${talk()}.then(answer); return true; });`,
          started.shim,
        ),
      };
      const keys = {
        name: 'Sockets',
        permissions: ['tabs'],
        host_permissions: matches,
        content_scripts: [{ matches, js: ['content.js'] }],
      };
      const loaded = await stage.extensions.load(keys, withSocketShim(SCRIPT, started.shim), undefined, files);
      await started.update({ extensionIds: [loaded.id] });
      await stage.extensions.untilDefined(loaded.id, 'talk');
      assert.deepEqual(await stage.extensions.inWorker(loaded.id, talk()), said);
      const { targetId } = await stage.open(site.url);
      const ask = `chrome.tabs.query({ title: 'Site' }).then(([tab]) => chrome.tabs.sendMessage(tab.id, 1))`;
      assert.deepEqual(await stage.extensions.inWorker(loaded.id, ask), said);
      await stage.devtools.closePage(targetId);
      site.close();
    });

    it('carries those of code that a program has changed which has ended, for the extension, and not for pages of others', async () => {
      const started = await stage.startBridge({ extensionIds: [] });
      const site = await startSite('<title>Site</title>');
      const shim = { ...started.shim, folder: newFolder() };
      const keys = { name: 'Sockets of another', background: { service_worker: 'worker.js' } };
      const loaded = await stage.extensions.load(keys, withSocketShim(SCRIPT, shim));
      await started.update({ extensionIds: [loaded.id] });
      await stage.extensions.untilDefined(loaded.id, 'talk');
      assert.deepEqual(await stage.extensions.inWorker(loaded.id, talk()), said);
      const { page, targetId } = await stage.open(site.url);
      await page.evaluate(`${withSocketShim(SCRIPT, shim)}; 1`);
      const before = server.received.length;
      assert.deepEqual(await page.evaluate(talk()), ['error', 'close 1006  false']);
      assert.equal(server.received.length, before);
      await stage.devtools.closePage(targetId);
      site.close();
    });

    it('throws for what no websocket may have, as the browser does', async () => {
      await stage.startBridge();
      scripts = { '/app': `<title>App</title><script>${SCRIPT}</script>` };
      const { page, targetId } = await stage.open(`${server.origin}/app`);
      const url = `ws://localhost:${server.port}/`;
      for (const args of [
        `'${url}', ['chat', 'chat']`,
        `'${url}', 'a b'`,
        `'${url}', ''`,
        `'${url}#part'`,
        `'ws://'`,
      ]) {
        const name = `(() => { try { new WebSocket(${args}); return 'made'; } catch (error) { return error.name; } })()`;
        assert.equal(await page.evaluate(name), 'SyntaxError', args);
      }
      await stage.devtools.closePage(targetId);
    });

    it('refuses those to other ports, and ends with the page', async () => {
      await stage.startBridge();
      scripts = { '/app': `<title>App</title><script>${SCRIPT}</script>` };
      const { page, targetId } = await stage.open(`${server.origin}/app`);
      assert.deepEqual(await page.evaluate(`globalThis.talk('ws://localhost:${other.port}/')`), [
        'error',
        'close 1006  false',
      ]);
      assert.equal(other.sockets.size, 0);
      await page.evaluate(`globalThis.kept = new WebSocket('ws://localhost:${server.port}/'); 1`);
      await eventually('it is open', () => server.sockets.size === 1, SOON_MS);
      await stage.devtools.closePage(targetId);
      await eventually('it is closed', () => server.sockets.size === 0, SOON_MS);
    });

    it('ends them when the server ends, and when the bridge does', async () => {
      const started = await stage.startBridge();
      scripts = {
        '/app': `<title>App</title><script>globalThis.ends = (socket) => new Promise((resolve) => { socket.onclose = ({ code }) => resolve(code); }); globalThis.open = () => new WebSocket('ws://localhost:${server.port}/')</script>`,
      };
      const { page, targetId } = await stage.open(`${server.origin}/app`);
      const isOpen = (): boolean => server.sockets.size === 1;
      const first = page.evaluate('globalThis.ends(globalThis.open())');
      await eventually('it is open', isOpen, SOON_MS);
      for (const socket of server.sockets) socket.close(4100);
      assert.equal(await first, 4100);
      const second = page.evaluate('globalThis.ends(globalThis.open())');
      await eventually('it is open again', isOpen, SOON_MS);
      started.close();
      assert.equal(await second, 1006);
      await eventually('the server has closed it', () => server.sockets.size === 0, SOON_MS);
      await stage.devtools.closePage(targetId);
    });
  });

  describe('and a hostile page', () => {
    let hostile: Site;

    before(async () => {
      const { origin } = server;
      hostile = await startSite(`<title>Hostile</title>
        <iframe src="${origin}/frame"></iframe><iframe referrerpolicy="no-referrer" src="${origin}/frame-silent"></iframe>
        <iframe sandbox="allow-scripts allow-forms" src="${origin}/frame-sandboxed"></iframe>
        <iframe srcdoc="<img src='${origin}/srcdoc-image'><script src='${origin}/srcdoc-script.js'></script>"></iframe>
        <iframe srcdoc="<meta name=referrer content=no-referrer><img src='${origin}/srcdoc-silent'>"></iframe>
        <img src="${origin}/image"><img referrerpolicy="no-referrer" src="${origin}/image-silent"><script src="${origin}/script.js"></script>
        <link rel="stylesheet" href="${origin}/style.css"><link rel="prefetch" href="${origin}/prefetch"><link rel="modulepreload" href="${origin}/preload.js">
        <object data="${origin}/object"></object><embed src="${origin}/embed"><video src="${origin}/video"></video>
        <form id="post" method="post" target="inside" action="${origin}/form-inside"></form><iframe name="inside"></iframe>
        <form id="top" method="post" target="_blank" action="${origin}/form-top"></form>
        <script type="module">
          const quietly = (act) => { try { void Promise.resolve(act()).catch(() => 0); } catch {} };
          quietly(() => import('${origin}/module.js'));
          quietly(() => fetch('${origin}/fetch'));
          quietly(() => fetch('${origin}/fetch-blind', { mode: 'no-cors' }));
          quietly(() => fetch('${origin}/fetch-post', { method: 'POST', mode: 'no-cors', body: 'x' }));
          quietly(() => fetch('${origin}/fetch-put', { method: 'PUT', body: 'x' }));
          quietly(() => fetch('http://127.0.0.1:${server.port}/by-number', { mode: 'no-cors' }));
          quietly(() => fetch('${origin}/.sideload/guess/poll', { mode: 'no-cors' }));
          quietly(() => navigator.sendBeacon('${origin}/beacon', 'x'));
          quietly(() => new EventSource('${origin}/events'));
          quietly(() => new Worker(URL.createObjectURL(new Blob(["fetch('${origin}/blob-worker').catch(() => 0)"]))));
          quietly(() => new Worker(URL.createObjectURL(new Blob(["importScripts('${origin}/blob-import.js')"]))));
          quietly(() => new SharedWorker("data:text/javascript,fetch('${origin}/shared-worker').catch(() => 0)"));
          quietly(() => document.getElementById('post').submit());
          quietly(() => document.getElementById('top').submit());
          const request = new XMLHttpRequest();
          quietly(() => { request.open('GET', '${origin}/xhr', false); request.send(); });
          document.title = 'done';
        </script>`);
    });

    after(() => {
      hostile.close();
    });

    it(`reaches no server, ${ROUNDS} times`, async () => {
      const started = await stage.startBridge();
      for (let round = 0; round < ROUNDS; round++) {
        const { targetId, page } = await stage.open(hostile.url);
        await eventually('the page has asked', async () => (await page.evaluate('document.title')) === 'done', SOON_MS);
        await delay(SETTLE_MS);
        const { targetInfos } = await stage.devtools.result('Target.getTargets');
        assert(Array.isArray(targetInfos));
        for (const info of targetInfos as { targetId: string; type: string; url: string }[]) {
          if (info.targetId === targetId || info.url.includes('/form-top'))
            await stage.devtools.closePage(info.targetId);
        }
        assert.deepEqual(server.paths, []);
      }
      assert.ok(
        started.requests.counts.refused >= 15 * ROUNDS,
        `${started.requests.counts.refused} requests came this far`,
      );
      assert.equal(started.requests.counts.bytes, 0);
    });

    it('may only open the address of a server, as a link does', async () => {
      await stage.startBridge();
      const { page, targetId } = await stage.open(hostile.url);
      await page.evaluate(`location.href = '${server.origin}/opened'; 1`);
      await eventually('it is opened', () => server.paths.includes('/opened'), SOON_MS);
      await stage.devtools.closePage(targetId);
    });
  });
});
