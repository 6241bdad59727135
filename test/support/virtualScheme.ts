/** Scheme of the folder that the editor suite opens as a virtual one; its tests provide the files. */
export const VIRTUAL_SCHEME = 'sideload-virtual';
