import { writeSync } from 'node:fs';
import process from 'node:process';
import { parentPort, workerData } from 'node:worker_threads';

/** The thread of `watchdog.ts`: it gets what is begun, and ends the process when nothing is begun for too long. */
let timer;
parentPort.on('message', (what) => {
  clearTimeout(timer);
  timer = setTimeout(() => {
    writeSync(1, `${what}: it does not end\n`);
    process.kill(process.pid, 'SIGKILL');
  }, workerData);
});
