import * as l10n from '@vscode/l10n';
import { MEMORY_SIZES, REGIONS } from '../../../service/interface';
import { pick, type Choice } from '../../notify';
import type { Draft, Option } from './createDraft';

/** The options of the machine of a remote browser. The service offers a memory size for browsers with a window alone. */
export function machineOptions(draft: Draft): Option[] {
  const region = valueOption(draft, 'region', REGIONS, {
    icon: 'location',
    label: l10n.t('Region'),
    placeHolder: l10n.t('Where the browser runs; it stays there'),
  });
  const memory = valueOption(draft, 'memory', MEMORY_SIZES, {
    icon: 'chip',
    label: l10n.t('Memory'),
    placeHolder: l10n.t("Memory of the browser's machine"),
  });
  return draft.headless === true ? [region] : [region, memory];
}

/** The option to choose one of the values of the service, or its default. */
function valueOption(
  draft: Draft,
  key: 'region' | 'memory',
  values: readonly string[],
  { icon, label, placeHolder }: { icon: string; label: string; placeHolder: string },
): Option {
  return {
    icon,
    label,
    description: draft[key] ?? l10n.t('default'),
    edit: async () => {
      const choice = await pick<Choice & { value?: string }>(
        [{ label: l10n.t('Default of the service') }, ...values.map((value) => ({ label: value, value }))],
        { title: label, placeHolder },
      );
      if (choice) draft[key] = choice.value;
    },
  };
}
