import { resolve } from 'node:path';
import { runProgram } from '../../../src/local/program';
import { earlierInstaller } from './earlierInstaller';
import { Faults, injectFaults } from './faults';
import { poolRoutes } from './poolRoutes';
import { Pools } from './pools';

// The local service with what the cloud has and ours does not: pools (`--pools`), the uploads of an earlier image (`--behaviour earlier`);
// and with the faults of a file (`--faults FILE`).
const args = process.argv.slice(2);
const behaviour = taken('--behaviour');
const file = taken('--faults');
const hasPools = args.includes('--pools');
if (hasPools) args.splice(args.indexOf('--pools'), 1);
runProgram(args, {
  ...(behaviour === 'earlier' && { installer: earlierInstaller }),
  extend: (app, context) => {
    const { warn } = context;
    injectFaults(app, new Faults(file === undefined ? undefined : resolve(file), warn));
    if (!hasPools) return () => undefined;
    const pools = new Pools(context);
    poolRoutes(app, pools);
    return () => {
      pools.close();
    };
  },
});

/** Takes an option and its value out of the arguments. */
function taken(name: string): string | undefined {
  const at = args.indexOf(name);
  return at < 0 ? undefined : args.splice(at, 2)[1];
}
