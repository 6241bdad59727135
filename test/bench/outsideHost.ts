/**
 * A process of its own for what is outside of Sideload: the network to a service, and a development server with many modules. In the process of the
 * bench they would share the thread that is measured. It gets an {@link OutsideTask}.
 */
import { DevServer } from '../standins/devServer';
import { SlowNetwork } from '../standins/slowNetwork';
import { answerMessages } from './hostProcess';
import { answerWithModules } from './moduleGraph';
import type { OutsideAnswer, OutsideTask } from './outside';

answerMessages(async (message): Promise<OutsideAnswer> => {
  const { service, roundTripMs } = message as OutsideTask;
  const network = await SlowNetwork.start(service, { upMs: roundTripMs / 2, downMs: roundTripMs / 2 });
  const server = await DevServer.start(answerWithModules);
  return { network: network.baseUrl, port: server.port };
});
