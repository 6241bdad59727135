import type { Target } from './devtools';

/** Notes in a page what messages of websockets and event sources reach its code from now on, until it is loaded again. */
export async function hearMessages(page: Target): Promise<void> {
  await page.evaluate(`globalThis.heard ??= (() => {
    const heard = [];
    const { MessageEvent } = globalThis;
    globalThis.MessageEvent = class extends MessageEvent {
      constructor(type, init) {
        super(type, init);
        heard.push(String(init?.data));
      }
    };
    return heard;
  })(), true`);
}

/** Whether a message with this text has reached the code of a page since {@link hearMessages}; false of a page that has gone. */
export async function hasHeard(page: Target, text: string): Promise<boolean> {
  const heard = `globalThis.heard?.some((message) => message.includes(${JSON.stringify(text)}))`;
  return (await page.evaluate(heard).catch(() => false)) === true;
}
