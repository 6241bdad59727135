/**
 * Opens a websocket to the host of the base address given, as programs do, with the environment it is started in, and sends something. Prints the
 * answer, or the error's message.
 */
import { openSocket } from '../../src/devtools/protocol/connect';
import { routeSockets } from '../../src/programs/socketProxy';
import { devToolsAddress } from '../../src/service/devToolsAddress';

async function main([baseUrl = '']: readonly string[]): Promise<string> {
  routeSockets();
  const service = new URL(baseUrl);
  try {
    const transport = await openSocket(
      devToolsAddress(`${service.protocol === 'https:' ? 'wss' : 'ws'}://${service.host}/devtools`, service),
    );
    const heard = new Promise<string>((resolve) => (transport.onmessage = resolve));
    transport.send('{}');
    const answer = await heard;
    transport.close();
    return answer;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

void main(process.argv.slice(2)).then((line) => {
  console.log(line);
});
