/**
 * A process of its own for what is outside of Sideload: the network to a service, and a development server with many modules. Beside what is measured,
 * they would take the time of its thread. The program that starts it sends an {@link OutsideTask}; it ends with that program.
 */
import { DevServer } from '../standins/devServer';
import { SlowNetwork } from '../standins/slowNetwork';
import { answerWithModules } from './moduleGraph';
import type { OutsideAnswer, OutsideTask } from './outside';

process.once('disconnect', () => process.exit());
process.once('message', ({ service, roundTripMs }: OutsideTask) => {
  void start(service, roundTripMs).then((answer) => process.send?.(answer));
});

async function start(service: string, roundTripMs: number): Promise<OutsideAnswer> {
  const network = await SlowNetwork.start(service, { upMs: roundTripMs / 2, downMs: roundTripMs / 2 });
  const server = await DevServer.start(answerWithModules);
  return { network: network.baseUrl, port: server.port };
}
