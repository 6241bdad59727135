/**
 * Gets a profile from the base address given, with the environment it is started in and VS Code's settings unset. Prints the
 * profile's id, or the error's message.
 */
import { ServiceClient } from '../../src/service/client';
import { silentLogger } from '../../src/service/logger';

const RETRY = { attempts: 1, firstDelayMs: 1, longestDelayMs: 1 };

async function main([baseUrl = '']: readonly string[]): Promise<string> {
  const client = new ServiceClient({
    baseUrl: new URL(baseUrl),
    token: 'token-of-the-child',
    log: silentLogger,
    retry: RETRY,
    proxy: { proxy: '', noProxy: [], strictSsl: true },
  });
  try {
    return (await client.getProfile('p1')).id;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  } finally {
    await client.close();
  }
}

void main(process.argv.slice(2)).then((line) => {
  console.log(line);
});
