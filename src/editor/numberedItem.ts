import { join } from 'node:path';
import { Uri, type TestController, type TestItem } from 'vscode';

/** An item for the extension in a folder, with children in the order of their ids, which begin with the path of the folder and a `#`. */
export function numberedItem<Id extends string>(
  controller: TestController,
  folder: string,
  label: string,
  { ids, titleOf }: { ids: readonly Id[]; titleOf: (id: Id) => string },
): TestItem {
  const manifest = Uri.file(join(folder, 'manifest.json'));
  const item = controller.createTestItem(folder, label, manifest);
  item.children.replace(
    ids.map((id, index) => {
      const child = controller.createTestItem(`${folder}#${id}`, titleOf(id), manifest);
      child.sortText = String(index);
      return child;
    }),
  );
  return item;
}
