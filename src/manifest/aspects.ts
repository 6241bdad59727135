import { fieldOf } from '../base/fields';

/** What a manifest may have or not, and what commands are about. */
export type Aspect =
  | 'Popup'
  | 'Action'
  | 'Options'
  | 'SidePanel'
  | 'Worker'
  | 'Storage'
  | 'Alarms'
  | 'OptionalPermissions'
  | 'Hosts';

/** What a manifest does not have, so that commands about it can do nothing. */
export function lackedBy(manifest: unknown): Aspect[] {
  const at = (...keys: string[]): unknown => keys.reduce<unknown>(fieldOf, manifest);
  const actions = ['action', 'browser_action', 'page_action'].filter((key) => at(key) !== undefined);
  const optional = [...textsIn(at('optional_permissions')), ...textsIn(at('optional_host_permissions'))];
  const permissions = [...textsIn(at('permissions')), ...optional];
  const matches = listIn(at('content_scripts')).flatMap((script) => textsIn(fieldOf(script, 'matches')));
  const has: Record<Aspect, boolean> = {
    Popup: actions.some((key) => isText(at(key, 'default_popup'))),
    Action: actions.length > 0,
    Options: isText(at('options_ui', 'page')) || isText(at('options_page')),
    // A panel may be set at run time, which needs the permission.
    SidePanel: permissions.includes('sidePanel'),
    Worker: isText(at('background', 'service_worker')),
    Storage: permissions.includes('storage'),
    Alarms: permissions.includes('alarms'),
    OptionalPermissions: optional.length > 0,
    Hosts: [...textsIn(at('host_permissions')), ...permissions, ...matches].some(isPattern),
  };
  return ASPECTS.filter((aspect) => !has[aspect]);
}

const ASPECTS: readonly Aspect[] = [
  'Popup',
  'Action',
  'Options',
  'SidePanel',
  'Worker',
  'Storage',
  'Alarms',
  'OptionalPermissions',
  'Hosts',
];

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? value : [];
}

function textsIn(value: unknown): string[] {
  return listIn(value).filter((each) => typeof each === 'string');
}

function isText(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

/** Whether an entry of a list of permissions is a pattern of hosts. */
function isPattern(text: string): boolean {
  return text.includes('://') || text === '<all_urls>';
}
