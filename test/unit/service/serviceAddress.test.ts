import assert from 'node:assert/strict';
import {
  AddressError,
  isLoopback,
  parseBaseUrl,
  parseProject,
  ProjectError,
} from '../../../src/service/serviceAddress';

describe('parseBaseUrl', () => {
  it('accepts https anywhere and http on this machine, and removes a trailing slash', () => {
    assert.equal(parseBaseUrl(' https://service.example.com/v1// ').pathname, '/v1');
    for (const address of ['http://127.0.0.1:4000', 'http://localhost', 'http://[::1]:1']) {
      assert.ok(isLoopback(parseBaseUrl(address)), address);
    }
  });

  it('refuses URLs that could send the token elsewhere, and explains what to write', () => {
    const refused = [
      'http://service.example.com',
      'http://127.0.0.1.example.com',
      'ftp://localhost',
      'https://user:pass@service.example.com',
      'https://service.example.com/?x=1',
      'https://service.example.com/#x',
      'service.example.com',
      '',
    ];
    for (const address of refused) assert.throws(() => parseBaseUrl(address), AddressError, address);
  });
});

describe('parseProject', () => {
  it('accepts what a header can carry, without the blanks around it', () => {
    assert.equal(parseProject(' my project '), 'my project');
    assert.equal(parseProject('  '), undefined);
  });

  it('refuses other characters', () => {
    for (const project of ['Prüfung', 'a\nb', '项目'])
      assert.throws(() => parseProject(project), ProjectError, project);
  });
});
