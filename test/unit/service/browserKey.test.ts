import assert from 'node:assert/strict';
import { browserKey } from '../../../src/service/browserKey';

describe('the key of a browser', () => {
  const keyOf = (address: string, id = 'brw-1'): string => browserKey(new URL(address), id);

  it('is another one for the same id in another service', () => {
    const addresses = ['https://one.test', 'https://two.test', 'https://one.test/team', 'http://127.0.0.1:7300'];
    assert.equal(new Set(addresses.map((address) => keyOf(address))).size, addresses.length);
    assert.notEqual(keyOf('https://one.test', 'brw-2'), keyOf('https://one.test', 'brw-1'));
  });

  it('is the same for all ways to write the address of a service', () => {
    assert.equal(keyOf('https://one.test/team/'), keyOf('https://ONE.test:443/team'));
    const own = ['http://localhost:7300', 'http://127.0.0.1:7300', 'http://[::1]:7300/'];
    assert.equal(new Set(own.map((address) => keyOf(address))).size, 1);
    assert.notEqual(keyOf('http://localhost:7300'), keyOf('http://localhost:7301'));
  });
});
