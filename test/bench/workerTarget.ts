import type { DevTools, Target } from '../contract/devtools';
import { fieldOf } from '../../src/base/fields';

/** Attaches to the running worker of an extension. */
export async function attachToWorker(devtools: DevTools, extensionId: string): Promise<Target> {
  const { targetInfos } = await devtools.result('Target.getTargets');
  const all: unknown[] = Array.isArray(targetInfos) ? targetInfos : [];
  const worker = all.find(
    (info) => fieldOf(info, 'type') === 'service_worker' && String(fieldOf(info, 'url')).includes(extensionId),
  );
  if (worker === undefined) throw new Error('the worker does not run');
  return await devtools.attachTo(String(fieldOf(worker, 'targetId')));
}
