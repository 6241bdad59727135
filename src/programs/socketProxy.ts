import { Agent, type AgentConnectOpts } from 'agent-base';
import type { Agent as HttpAgent, ClientRequest } from 'node:http';
import net, { isIPv6 } from 'node:net';
import tls from 'node:tls';
import type { Duplex } from 'node:stream';
import { openSocketsBy } from '../devtools/protocol/webSocket';
import { isLoopback } from '../service/serviceAddress';
import { chooseProxy, isBypassed, type ProxyChoice } from '../service/wire/proxy';

/**
 * Has the websockets of this process take the way of its requests: through the proxy of the environment, but for those to this machine. In the
 * editor, VS Code does that. A proxy that cannot be read is an error of the next connection.
 */
export function routeSockets(env: NodeJS.ProcessEnv = process.env): void {
  openSocketsBy(new ProxiedAgent(() => chooseProxy({}, env)));
}

class ProxiedAgent extends Agent {
  #agent: Promise<HttpAgent> | undefined;

  constructor(private readonly choose: () => ProxyChoice) {
    super();
  }

  override async connect(_request: ClientRequest, options: AgentConnectOpts): Promise<Duplex | HttpAgent> {
    const { host = '', port } = options;
    // Addresses without encryption are of this machine or of its network.
    if (!options.secureEndpoint) return net.connect(options);
    if (isLoopback(new URL(`https://${isIPv6(host) ? `[${host}]` : host}`))) return tls.connect(options);
    const { httpsProxy, noProxy } = this.choose();
    if (httpsProxy === '' || isBypassed(noProxy, host, port)) return tls.connect(options);
    return await (this.#agent ??= agentOf(httpsProxy));
  }
}

async function agentOf(proxy: string): Promise<HttpAgent> {
  if (proxy.startsWith('socks')) {
    const { SocksProxyAgent } = await import('socks-proxy-agent');
    return new SocksProxyAgent(proxy);
  }
  const { HttpsProxyAgent } = await import('https-proxy-agent');
  return new HttpsProxyAgent(proxy);
}
