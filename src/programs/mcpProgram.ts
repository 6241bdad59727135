/* oxlint-disable no-restricted-properties -- standard output belongs to the protocol, whose messages are JSON */
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { silentLogger, type Logger } from '../service/logger';
import { errorText } from '../agents/errorText';
import { HeadlessWindow } from './headless/headlessWindow';
import { asksForHelp, UsageError } from './cliOptions';
import { EXIT } from '../agents/exitCodes';
import { MCP_USAGE, missingRoots, readMcpOptions } from './mcpOptions';
import { onSignals } from './endSignals';
import { linesBelow } from './inputLines';
import { createMcpServer } from './mcpServer';
import { complain } from './printable';
import { chooseService } from './serviceChoice';

/** How long the browsers that were started may take to end, in milliseconds. */
const END_LIMIT_MS = 5000;

/** Longest message, in bytes; the transport would end the server at 10 MiB. */
const MAX_LINE_BYTES = 8 * 1024 * 1024;

/** The answer to a message that is too long, whose number is not known. */
const TOO_LONG = `${JSON.stringify({ jsonrpc: '2.0', id: null, error: { code: -32_600, message: 'The message is too long.' } })}\n`;

/** Standard output belongs to the protocol. */
const log: Logger = { ...silentLogger, warn: complain, error: complain };

async function serve(args: readonly string[]): Promise<void> {
  const options = readMcpOptions(args);
  for (const line of await missingRoots(options.roots)) complain(line);
  const service = chooseService({ ...options, log });
  const window = new HeadlessWindow({
    roots: options.roots,
    ...service,
    log,
    browserDefaults: options.headless ? { headless: true } : {},
    isForAgents: true,
    allPages: options.allPages,
  });
  const calls = new Set<Promise<unknown>>();
  const server = createMcpServer(window, calls);
  const ended = new Promise<void>((resolve) => {
    server.onclose = resolve;
    process.stdin.once('end', resolve).once('close', resolve);
    onSignals(['SIGINT', 'SIGTERM', 'SIGHUP'], resolve);
  });
  server.onerror = (error) => complain(`A message of the client could not be read: ${error.message}`);
  const messages = process.stdin.pipe(
    linesBelow(MAX_LINE_BYTES, () => {
      complain(`A message of the client was left out: it has more than ${MAX_LINE_BYTES} bytes.`);
      process.stdout.write(TOO_LONG);
    }),
  );
  await server.connect(new StdioServerTransport(messages, process.stdout));
  await ended;
  setTimeout(() => process.exit(EXIT.running), END_LIMIT_MS).unref();
  await server.close();
  // A call may take longer than there is time for. One that starts a browser ends it when it is cancelled.
  await Promise.all([window.endCreated(), Promise.allSettled(calls)]);
  await window.endCreated();
  await window.dispose();
}

/**
 * The program for agents: a server of the Model Context Protocol over standard input and output, until the client has gone. Resolves to the exit code;
 * what is wrong on the command line is on the error output then. Never rejects.
 */
export async function runMcp(args: readonly string[]): Promise<number> {
  if (asksForHelp(args)) {
    process.stdout.write(MCP_USAGE);
    return EXIT.running;
  }
  try {
    await serve(args);
    return EXIT.running;
  } catch (error) {
    if (error instanceof UsageError) {
      complain(`${error.message}\n\n${MCP_USAGE}`);
      return EXIT.usage;
    }
    complain(errorText(error));
    return EXIT.serviceFailed;
  }
}
