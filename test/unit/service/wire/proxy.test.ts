import assert from 'node:assert/strict';
import { AddressError } from '../../../../src/service/serviceAddress';
import { chooseProxy, isBypassed } from '../../../../src/service/wire/proxy';

const NONE = { httpProxy: '', httpsProxy: '', noProxy: '' };

describe('the choice of a proxy', () => {
  it('is none by default', () => {
    assert.deepEqual(chooseProxy({}, {}), NONE);
    assert.deepEqual(chooseProxy({ proxy: '  ', noProxy: [] }, { HTTPS_PROXY: '' }), NONE);
  });

  it('prefers the setting to the environment, for both schemes', () => {
    assert.deepEqual(chooseProxy({ proxy: 'http://a:1' }, { https_proxy: 'http://b:2', HTTP_PROXY: 'http://c:3' }), {
      httpProxy: 'http://a:1',
      httpsProxy: 'http://a:1',
      noProxy: '',
    });
  });

  it('is the variable of the scheme, preferably in lower case', () => {
    const env = { HTTP_PROXY: 'http://a:1', https_proxy: 'http://b:2', HTTPS_PROXY: 'http://c:3', no_proxy: 'x,y' };
    assert.deepEqual(chooseProxy({}, env), { httpProxy: 'http://a:1', httpsProxy: 'http://b:2', noProxy: 'x,y' });
  });

  it('uses the proxy of http for https when there is no other', () => {
    assert.equal(chooseProxy({}, { http_proxy: 'http://a:1' }).httpsProxy, 'http://a:1');
  });

  it('prefers the hosts without a proxy in the setting to those of the environment', () => {
    assert.equal(chooseProxy({ noProxy: ['a', '*.b'] }, { NO_PROXY: 'c' }).noProxy, 'a,*.b');
    assert.equal(chooseProxy({ noProxy: [] }, { NO_PROXY: 'c' }).noProxy, 'c');
    assert.equal(chooseProxy({}, { NO_PROXY: ' c , d,' }).noProxy, 'c,d');
    assert.equal(chooseProxy({ noProxy: ['a', '*'] }, {}).noProxy, '*');
  });

  it('bypasses the proxy for hosts and their domains, of one port or of all', () => {
    const bypassed = (noProxy: string): boolean => isBypassed(noProxy, 'Api.Example.com', 443);
    for (const noProxy of [
      '*',
      'api.example.com',
      'EXAMPLE.COM',
      '.example.com',
      '*.example.com',
      'x,example.com:443',
    ]) {
      assert.equal(bypassed(noProxy), true, noProxy);
    }
    for (const noProxy of ['', ',', 'ample.com', 'example.com:80', 'www.api.example.com', 'com.example']) {
      assert.equal(bypassed(noProxy), false, noProxy);
    }
  });

  it('accepts a proxy without a scheme, as curl does', () => {
    assert.equal(chooseProxy({}, { https_proxy: 'proxy.example:3128' }).httpsProxy, 'http://proxy.example:3128');
    assert.equal(chooseProxy({ proxy: 'socks5://a:1' }, {}).httpsProxy, 'socks5://a:1');
  });

  it('refuses an invalid URL of a proxy, without repeating a password', () => {
    for (const proxy of ['http://', 'ftp://me:s3cret@a:1', 'http://me:s3cret@a b', 'http://a:99999', 'file:///x']) {
      assert.throws(
        () => chooseProxy({ proxy }, {}),
        (error) => {
          assert(error instanceof AddressError);
          assert.doesNotMatch(error.message, /s3cret/);
          return true;
        },
      );
    }
  });
});
