import assert from 'node:assert/strict';
import { devToolsAddress } from '../../../src/service/devToolsAddress';
import { ServiceError } from '../../../src/service/serviceErrors';

const CLOUD = new URL('https://api.onkernel.com');
const HERE = new URL('http://127.0.0.1:4444');
const OFFICE = new URL('https://10.1.2.3:8443');

/** Addresses of this machine and of private networks, in the forms that lead there. */
const NEARBY = [
  'localhost',
  'LOCALHOST.',
  'app.localhost',
  '127.0.0.1',
  '127.1',
  '0x7f000001',
  '2130706433',
  '0.0.0.0',
  '10.0.0.1',
  '100.64.0.1',
  '169.254.169.254',
  '172.31.255.255',
  '192.168.1.1',
  '[::]',
  '[::1]',
  '[::ffff:127.0.0.1]',
  '[::ffff:a00:1]',
  '[64:ff9b::7f00:1]',
  '[fe80::1]',
  '[fd00::1]',
];

describe('the DevTools address of a browser', () => {
  const isAllowed = (address: string, service: URL): boolean => {
    try {
      devToolsAddress(address, service);
      return true;
    } catch (error) {
      assert.ok(error instanceof ServiceError);
      assert.equal(error.kind, 'invalidAnswer');
      assert.doesNotMatch(`${error.message} ${error.stack}`, /s3cret|:9222/);
      return false;
    }
  };

  it('may be on another host of the internet than the service, encrypted', () => {
    for (const host of ['proxy.iad-1.onkernel.com', 'api.onkernel.com', '203.0.113.7', '172.32.0.1', '[2600::1]']) {
      assert.ok(isAllowed(`wss://${host}:8443/browser/cdp?jwt=s3cret`, CLOUD), host);
      assert.ok(isAllowed(`wss://${host}:8443/browser/cdp?jwt=s3cret`, HERE), host);
      assert.ok(!isAllowed(`ws://${host}/cdp?jwt=s3cret`, CLOUD), host);
      assert.ok(!isAllowed(`ws://${host}/cdp?jwt=s3cret`, HERE), host);
    }
  });

  it('may be on this machine or in a private network only for a service on this machine', () => {
    for (const host of NEARBY) {
      for (const scheme of ['ws', 'wss']) {
        assert.ok(!isAllowed(`${scheme}://${host}:9222/x?jwt=s3cret`, CLOUD), `${scheme}://${host}`);
        assert.ok(isAllowed(`${scheme}://${host}:9222/x?jwt=s3cret`, HERE), `${scheme}://${host}`);
      }
    }
  });

  it("may be on the service's own host, wherever that is", () => {
    assert.ok(isAllowed('wss://10.1.2.3:9222/x?jwt=s3cret', OFFICE));
    assert.ok(!isAllowed('ws://10.1.2.3:9222/x?jwt=s3cret', OFFICE));
    assert.ok(!isAllowed('wss://10.1.2.4:9222/x?jwt=s3cret', OFFICE));
  });

  it('must be a websocket address', () => {
    for (const address of ['s3cret', 'http://x/s3cret', 'https://x/s3cret', 'file:///s3cret', 'ws+unix:///s3cret']) {
      for (const service of [CLOUD, HERE]) assert.ok(!isAllowed(address, service), address);
    }
  });

  it('may be missing, which is said as that', () => {
    assert.throws(() => devToolsAddress('', CLOUD), { kind: 'unsupported', message: /gives no DevTools address/ });
  });
});
