#!/usr/bin/env node
// The program of the packages for terminals and pipelines: `npx sideload check|push|run|test|pack FOLDER`, `npx sideload doctor`,
// and `npx sideload mcp` for agents.
import { version } from '../../package.json';
import type { Logger } from '../service/logger';
import { silentLogger } from '../service/logger';
import { asksForHelp, readCli, USAGE, UsageError, type CliOptions } from './cliOptions';
import { EXIT } from '../agents/exitCodes';
import { complain, exitWhenPrinted, ignoreGoneReader, print } from './printable';

ignoreGoneReader();

/** Warnings go to the error output; of the rest, a pipeline needs nothing. */
const log: Logger = { ...silentLogger, warn: complain, error: complain };

async function run(options: CliOptions): Promise<number> {
  if (options.exclude.length + options.include.length > 0) {
    const { patternWarnings } = await import('./patternWarnings');
    for (const line of patternWarnings(options)) complain(line);
  }
  switch (options.command) {
    case 'check': {
      const { checkFolders } = await import('./checkCommand');
      return await checkFolders(options, print);
    }
    case 'push':
    case 'run': {
      const { pushFolders } = await import('./pushCommand');
      return await pushFolders(options, log, print);
    }
    case 'test': {
      const { testFolder } = await import('./testCommand');
      return await testFolder(options, log, print);
    }
    case 'pack': {
      const { packFolder } = await import('./packCommand');
      return await packFolder(options, print);
    }
    case 'doctor': {
      const { examineBrowsers } = await import('./doctorCommand');
      return await examineBrowsers(options, log, print);
    }
  }
}

async function main(): Promise<number> {
  const args = process.argv.slice(2);
  if (args[0] === 'mcp') {
    const { runMcp } = await import('./mcpProgram');
    return await runMcp(args.slice(1));
  }
  if (args.includes('--version')) {
    print(version);
    return EXIT.running;
  }
  if (asksForHelp(args)) {
    print(USAGE);
    return EXIT.running;
  }
  try {
    return await run(readCli(args));
  } catch (error) {
    if (error instanceof UsageError) {
      complain(
        args.length === 0 ? `${error.message}\n\n${USAGE}` : `${error.message}\nFor all commands and options: --help`,
      );
      return EXIT.usage;
    }
    const { errorText } = await import('../agents/errorText');
    complain(errorText(error, 'person'));
    return EXIT.serviceFailed;
  }
}

// Idle threads and connections must not keep the process running.
void main().then(exitWhenPrinted);
