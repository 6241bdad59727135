// The program that VS Code and agents start: `node dist/mcp.js`, the same as `sideload mcp`.
import { runMcp } from './mcpProgram';
import { exitWhenPrinted, ignoreGoneReader } from './printable';

ignoreGoneReader();

void runMcp(process.argv.slice(2)).then(exitWhenPrinted);
