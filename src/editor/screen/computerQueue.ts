import type { BrowserService } from '../../service/browserService';
import type { ComputerAction } from '../../service/model';

/** Most actions of one request. */
const MAX_ACTIONS = 50;

/** The operations of the service that {@link ComputerQueue} uses. */
export type ComputerClient = Pick<BrowserService, 'scroll' | 'clickMouse' | 'moveMouse' | 'pressKey' | 'runBatch'>;

/** Actions on a browser's screen, in order, one request at a time: what comes while one is under way goes out together as the next one. */
export class ComputerQueue {
  #waiting: ComputerAction[] = [];
  /** The request that takes what waits. */
  #next: Promise<void> | undefined;
  #underWay: Promise<unknown> = Promise.resolve();
  /** How often what waits was dropped. */
  #drops = 0;

  constructor(private readonly perform: (actions: readonly ComputerAction[]) => Promise<void>) {}

  /** Resolves when the action was done, or dropped. Rejects with the error of its request, after which later actions are still sent. */
  async send(action: ComputerAction): Promise<void> {
    const last = this.#waiting.at(-1);
    if (action.type === 'typeText' && last?.type === 'typeText') {
      const text = last.typeText.text + action.typeText.text;
      this.#waiting[this.#waiting.length - 1] = { type: 'typeText', typeText: { text } };
    } else if (action.type === 'moveMouse' && last?.type === 'moveMouse') {
      this.#waiting[this.#waiting.length - 1] = action;
    } else {
      this.#waiting.push(action);
    }
    this.#next ??= this.#sendNext();
    await this.#next;
  }

  /** Sends nothing of what waits, as when another browser is shown. */
  drop(): void {
    this.#waiting = [];
    this.#drops += 1;
  }

  async #sendNext(): Promise<void> {
    await this.#underWay;
    const actions = this.#waiting;
    this.#waiting = [];
    this.#next = undefined;
    const sent = this.#sendAll(actions);
    this.#underWay = sent.catch(() => undefined);
    await sent;
  }

  async #sendAll(actions: readonly ComputerAction[]): Promise<void> {
    const drops = this.#drops;
    for (let at = 0; at < actions.length && drops === this.#drops; at += MAX_ACTIONS) {
      await this.perform(actions.slice(at, at + MAX_ACTIONS));
    }
  }
}

/** Does actions in a browser: a single one by its own operation where the client has it, several as a batch. Rejects with a ServiceError. */
export async function perform(client: ComputerClient, id: string, actions: readonly ComputerAction[]): Promise<void> {
  const [action] = actions;
  if (actions.length === 1 && action) {
    switch (action.type) {
      case 'scroll':
        return await client.scroll(id, action.scroll);
      case 'clickMouse':
        return await client.clickMouse(id, action.clickMouse);
      case 'moveMouse':
        return await client.moveMouse(id, action.moveMouse);
      case 'pressKey':
        return await client.pressKey(id, action.pressKey);
      case 'dragMouse':
      case 'typeText':
      case 'sleep':
    }
  }
  if (action) await client.runBatch(id, actions);
}
