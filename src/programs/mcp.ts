// The program that VS Code and agents start: `node dist/mcp.js`, the same as `sideload mcp`.
import { runMcp } from './mcpProgram';
import { exitWhenPrinted } from './printable';

void runMcp(process.argv.slice(2)).then(exitWhenPrinted);
