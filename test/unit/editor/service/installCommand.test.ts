import assert from 'node:assert/strict';
import { installCommand } from '../../../../src/editor/service/installCommand';

describe('the command that installs a browser', () => {
  const on = (platform: NodeJS.Platform, ...files: string[]): string | undefined =>
    installCommand(platform, (path) => files.includes(path));

  it('is that of the package manager of the system', () => {
    assert.match(on('win32') ?? '', /^winget /);
    assert.match(on('darwin') ?? '', /^brew /);
    assert.match(on('linux', '/etc/debian_version') ?? '', /^sudo apt-get /);
    assert.match(on('linux', '/etc/debian_version', '/snap', '/usr/bin/snap') ?? '', /^sudo snap /);
    assert.match(on('linux', '/usr/bin/dnf') ?? '', /^sudo dnf /);
    assert.equal(on('linux'), undefined);
    assert.equal(on('freebsd'), undefined);
  });
});
