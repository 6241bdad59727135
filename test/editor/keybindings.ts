// Covers: package.json
import assert from 'node:assert/strict';
import { parse } from 'jsonc-parser';
import { Uri, workspace } from 'vscode';
import manifest from '../../package.json';

/** The key bindings of VS Code and of the extensions in this window, as the editor shows them as defaults. */
const DEFAULTS = Uri.parse('vscode://defaultsettings/keybindings.json');

/** VS Code has some 1000. */
const MOST_LIKELY_ALL = 500;

interface Binding {
  readonly key: string;
  readonly command: string;
}

// Ctrl+F6 (Cmd+F6 on a Mac) types no letter in any keyboard layout, as Ctrl+Alt with a letter does, which is AltGr on Windows; and neither
// VS Code nor GNOME, KDE, Windows, macOS or a browser that shows VS Code has a use for it.
describe('key bindings', () => {
  it('that apply in the whole window take no key that VS Code uses, alone or as the beginning of a chord', async () => {
    const all = parse((await workspace.openTextDocument(DEFAULTS)).getText()) as Binding[];
    assert.ok(all.length > MOST_LIKELY_ALL, `only ${all.length} defaults can be read`);
    // The others apply in the sidebar's lists and in the scroll panel alone.
    const ours = manifest.contributes.keybindings.filter(({ when }) => when.startsWith('workspaceFolderCount'));
    assert.ok(ours.length > 0, 'there is no such binding');
    for (const { key, command } of ours) {
      assert.ok(
        all.some((binding) => binding.key === key && binding.command === command),
        `${key} is not bound to ${command}`,
      );
      const others = all.filter((binding) => binding.key.split(' ')[0] === key && binding.command !== command);
      assert.deepEqual(others, []);
    }
  });
});
