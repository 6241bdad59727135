import assert from 'node:assert/strict';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { PushStage } from './pushStage';

/** A catalogue with one message. */
const catalogue = (message: string): string => JSON.stringify({ greeting: { message } });

describe('a push of what a worker has read', function () {
  this.timeout(60_000);
  const stage = PushStage.forSuite();

  it('brings a changed message catalogue to the worker also where the manifest names no message', async () => {
    await mkdir(join(stage().folder, '_locales', 'en'), { recursive: true });
    await stage().editManifest({ default_locale: 'en' });
    await stage().write('background.js', "globalThis.greeting = () => chrome.i18n.getMessage('greeting');");
    await stage().write('_locales/en/messages.json', catalogue('one'));
    await stage().mustRun();
    assert.equal(await stage().ask('greeting()'), 'one');
    await stage().write('_locales/en/messages.json', catalogue('two'));
    await stage().mustRun();
    assert.equal(await stage().ask('greeting()'), 'two');
  });

  it('brings changed data to the worker that has read it', async () => {
    await stage().write(
      'background.js',
      "globalThis.data = fetch('data.json').then((answer) => answer.json()).then(({ text }) => text);",
    );
    await stage().write('data.json', '{"text":"one"}');
    await stage().mustRun();
    assert.equal(await stage().ask('data'), 'one');
    await stage().write('data.json', '{"text":"two"}');
    await stage().mustRun();
    assert.equal(await stage().ask('data'), 'two');
  });
});
