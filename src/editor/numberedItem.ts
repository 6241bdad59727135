import { join } from 'node:path';
import { Uri, type TestController, type TestItem, type TestRunRequest } from 'vscode';

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

/** The item of the extension that an item is of. */
export function extensionOf(item: TestItem): TestItem {
  return item.parent ? extensionOf(item.parent) : item;
}

/** The items of extensions that a request is about: not those that the user has hidden. */
export function wantedOf(controller: TestController, { include, exclude = [] }: TestRunRequest): TestItem[] {
  const wanted = new Set((include ?? []).map(extensionOf));
  if (include === undefined) controller.items.forEach((item) => wanted.add(item));
  for (const item of exclude) wanted.delete(item);
  return [...wanted];
}
