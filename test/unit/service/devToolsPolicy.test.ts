import assert from 'node:assert/strict';
import { mayBlockDevTools } from '../../../src/service/devToolsPolicy';

describe('policies of a browser', () => {
  const FORCED = { ExtensionInstallForcelist: ['cjpalhdlnbpafiamejdnhcphjbkeiagm'] };

  it('can block DevTools when they forbid them, or install extensions', () => {
    assert.equal(mayBlockDevTools({ DeveloperToolsAvailability: 2 }), true);
    assert.equal(mayBlockDevTools(FORCED), true);
    assert.equal(mayBlockDevTools({ ...FORCED, DeveloperToolsAvailability: 0 }), true);
    for (const installation_mode of ['force_installed', 'normal_installed']) {
      assert.equal(mayBlockDevTools({ ExtensionSettings: { abc: { installation_mode } } }), true);
    }
  });

  it('do not when they allow DevTools everywhere, or say nothing of either', () => {
    assert.equal(mayBlockDevTools({ ...FORCED, DeveloperToolsAvailability: 1 }), false);
    const others = [undefined, null, {}, { HomepageLocation: 'x' }, { ExtensionInstallForcelist: [] }];
    for (const policies of others) assert.equal(mayBlockDevTools(policies), false);
    assert.equal(mayBlockDevTools({ ExtensionSettings: { '*': { installation_mode: 'allowed' } } }), false);
  });
});
