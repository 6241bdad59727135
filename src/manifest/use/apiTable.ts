import table from '../tables/permissionUse.json';

/** What proves the use of a permission. Source: the features files of Chromium 156 and its documentation of the API. */
export interface PermissionProof {
  /** Namespaces and members of the API, such as `storage` and `runtime.connectNative`. */
  api?: readonly string[];
  /** Members of those namespaces that need no permission. */
  except?: readonly string[];
  /** What else of the platform needs it; the names are those of `CodeFacts.marks`. */
  marks?: readonly string[];
  /** What looks alike and needs no permission. */
  near?: readonly string[];
  /** Keys of the manifest that are a use. */
  keys?: readonly (readonly string[])[];
  /** Whether code does not show a use. */
  isUnknown?: boolean;
}

const PROOFS: ReadonlyMap<string, PermissionProof> = new Map(Object.entries<PermissionProof>(table.permissions));

const NAMESPACES: ReadonlyMap<string, ReadonlySet<string>> = new Map(
  Object.entries<string[]>(table.namespaces).map(([name, members]) => [name, new Set(members)]),
);

/** What proves the use of a permission; undefined for one that is not in the table. */
export function proofOf(permission: string): PermissionProof | undefined {
  return PROOFS.get(permission);
}

/** The permissions of which each gives a namespace of the API; none for one that needs no permission. */
export function permissionsFor(namespace: string): readonly string[] {
  return [...PROOFS].flatMap(([permission, { api = [] }]) => (api.includes(namespace) ? [permission] : []));
}

/** Whether a name is that of a permission in the table. */
export function isPermissionName(name: string): boolean {
  return PROOFS.has(name) || name === 'tabs' || name === 'activeTab';
}

/** Whether a namespace of the API has the name. */
export function isNamespace(name: string): boolean {
  return NAMESPACES.has(name);
}

/** Whether a pair such as `contextMenus.create` is one of the API; of namespaces with rare names, every member is. */
export function isApiPair(namespace: string, member: string): boolean {
  const members = NAMESPACES.get(namespace);
  return members !== undefined && (members.size === 0 || members.has(member));
}
