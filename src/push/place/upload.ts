import type { Archive } from '../../archive/packer';
import type { Delivery } from '../browserDelivery';
import { withStableKey } from '../prepare/stableKey';
import { folderPath, type Placement } from './place';

/** The placement of a build. */
export interface Upload extends Placement {
  /** What is placed: the packed folder, with another key where its folder on the browser needs one. */
  archive: Archive;
}

/** Prepares the upload of a build to the folder `folderName` of its browser. */
export async function uploadOf(delivery: Delivery, folderName: string): Promise<Upload> {
  const { prepared, known, folderName: base } = delivery;
  const path = folderPath({ root: known.machines.keyRoot }, base);
  const archive = folderName === base ? prepared.archive : await withStableKey(prepared, path);
  return { to: delivery, folderName, zip: archive.zip, progress: delivery, archive };
}
