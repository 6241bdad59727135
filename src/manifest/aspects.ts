import { fieldOf, listField, textField, textsField } from '../base/fields';

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
  const texts = (key: string): string[] => textsField(manifest, key);
  const names = (key: string, field: string): boolean => textField(fieldOf(manifest, key), field) !== '';
  const actions = ['action', 'browser_action', 'page_action'].filter((key) => fieldOf(manifest, key) !== undefined);
  const optional = [...texts('optional_permissions'), ...texts('optional_host_permissions')];
  const permissions = [...texts('permissions'), ...optional];
  const matches = listField(manifest, 'content_scripts').flatMap((script) => textsField(script, 'matches'));
  const has: Record<Aspect, boolean> = {
    Popup: actions.some((key) => names(key, 'default_popup')),
    Action: actions.length > 0,
    Options: names('options_ui', 'page') || textField(manifest, 'options_page') !== '',
    // A panel may be set at run time, which needs the permission.
    SidePanel: permissions.includes('sidePanel'),
    Worker: names('background', 'service_worker'),
    Storage: permissions.includes('storage'),
    Alarms: permissions.includes('alarms'),
    OptionalPermissions: optional.length > 0,
    Hosts: [...texts('host_permissions'), ...permissions, ...matches].some(isPattern),
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

/** Whether an entry of a list of permissions is a pattern of hosts. */
function isPattern(text: string): boolean {
  return text.includes('://') || text === '<all_urls>';
}
