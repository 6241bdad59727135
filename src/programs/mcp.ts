// The program that VS Code and agents start: `node dist/mcp.js`, the same as `sideload mcp`.
import { runMcp } from './mcpProgram';

void runMcp(process.argv.slice(2)).then((code) => {
  process.exit(code);
});
