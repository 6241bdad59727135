// What a process of Node runs beside its own work: it appends when its event loop was held, and for how many milliseconds, to a file.
import { appendFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { HOLDS_FILE_ENV, NOTED_MS } from './holdLimits';
import { HoldWatch } from './holdWatch';

const file = process.env[HOLDS_FILE_ENV];
// Not in the processes that it starts, whose holds are not its own: the MCP server starts the local service.
delete process.env[HOLDS_FILE_ENV];
delete process.env['NODE_OPTIONS'];

// In a thread of its own, what takes long holds nobody.
if (file !== undefined && isMainThread) {
  new HoldWatch((ms) => {
    if (ms > NOTED_MS) appendFileSync(file, `${Date.now()} ${ms.toFixed(1)}\n`);
  });
}
