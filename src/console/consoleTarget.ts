import * as l10n from '@vscode/l10n';
import { LOOPBACK_ORIGIN, loopbackPort } from '../base/loopback';
import type { CDPSession, Protocol } from '../devtools/protocol/connect';
import type { BuiltLocation, ConsoleLevel, ConsoleMessage, ConsoleText } from './consoleLine';
import { ConsoleContexts, type ContextNames } from './consoleContexts';
import { OwnRequests } from './ownRequests';
import { completeArguments, isComplete, limitArguments, limitText } from './remoteArguments';
import { argumentsText, tableText } from './remoteText';

type TargetInfo = Protocol.Target.TargetInfo;
type RemoteObject = Protocol.Runtime.RemoteObject;
type ConsoleCall = Protocol.Runtime.ConsoleAPICalledEvent;
/** A domain of the protocol whose earlier messages are replayed. */
type Domain = 'Runtime' | 'Log';
type StackTrace = Protocol.Runtime.StackTrace | undefined;

/** Frames of a stack that Chromium sends with each message. */
const STACK_FRAMES = 20;

/** Deepest group that is still indented. */
const MAX_INDENT = 10;

/** An earlier message whose time differs by more from that of the connection shows its own, in milliseconds. */
const EARLIER_MS = 2000;

/** A message of a content security policy that follows another one within this time may be of a second policy, in milliseconds. */
const SECOND_POLICY_MS = 100;

/** It comes beside the failed request of an imported script, which has the name of the script (C-CONSOLE-IMPORT). */
const NAMELESS_FAILURE = 'An unknown error occurred when fetching the script.';

/** In a line of a stack, an address of a development server on the machine of the developer. */
const SERVED = new RegExp(LOOPBACK_ORIGIN);

/** What a target of the console is part of. */
export interface ConsoleHost extends ContextNames {
  push: (message: ConsoleMessage) => void;
  /** Called with the number of messages that were dropped in a storm. */
  addDropped: (count: number) => void;
  /** The time of the last message that was shown, by target and domain: what a later connection replays is not shown again. */
  shown: Map<string, number>;
}

/** One page or worker that the console is attached to. */
export class ConsoleTarget {
  readonly #contexts: ConsoleContexts;
  readonly #requests: OwnRequests;
  readonly #origin: string;
  /** When messages were shown last over an earlier connection, by domain, in milliseconds since the epoch. */
  readonly #shownBefore: Readonly<Record<Domain, number>>;
  readonly #attachedAt = Date.now();
  /** The domains whose earlier messages are still coming: they come before the answer to `enable`. */
  readonly #replaying = new Set<Domain>(['Runtime', 'Log']);
  #lastPolicy = { text: '', at: 0 };
  #hasObjects = false;

  constructor(
    private readonly session: CDPSession,
    private info: TargetInfo,
    private readonly host: ConsoleHost,
  ) {
    this.#origin = `chrome-extension://${host.extensionId}/`;
    this.#contexts = new ConsoleContexts(host);
    this.#requests = new OwnRequests(host.extensionId, info.type === 'service_worker');
    const shown = (domain: Domain): number => host.shown.get(this.#shownKey(domain)) ?? 0;
    this.#shownBefore = { Runtime: shown('Runtime'), Log: shown('Log') };
  }

  /** Whether it is a page or worker of the extension itself. */
  get isOwn(): boolean {
    return this.#contexts.isOwn(this.info);
  }

  /** Has the browser report from now on, and the earlier messages once. The commands go out together. */
  enable(): void {
    const { session } = this;
    const contexts = this.#contexts;
    session.on('Runtime.executionContextCreated', ({ context }: Protocol.Runtime.ExecutionContextCreatedEvent) => {
      contexts.add(context);
    });
    session.on('Runtime.executionContextDestroyed', (event: Protocol.Runtime.ExecutionContextDestroyedEvent) => {
      contexts.delete(event.executionContextId);
    });
    session.on('Runtime.executionContextsCleared', () => contexts.clear());
    session.on('Runtime.consoleAPICalled', this.#onCall);
    session.on('Runtime.exceptionThrown', this.#onException);
    session.on('Log.entryAdded', this.#onEntry);
    session.on('Network.requestWillBeSent', (event: Protocol.Network.RequestWillBeSentEvent) => {
      this.#requests.begin(event);
    });
    session.on('Network.responseReceived', (event: Protocol.Network.ResponseReceivedEvent) => {
      this.#pushFailure(this.#requests.respond(event));
    });
    session.on('Network.loadingFailed', (event: Protocol.Network.LoadingFailedEvent) => {
      this.#pushFailure(this.#requests.end(event));
    });
    // A target that has gone meanwhile has nothing more to say.
    const ignored = (): void => undefined;
    session.send('Network.enable', { maxTotalBufferSize: 0, maxResourceBufferSize: 0 }).catch(ignored);
    session.send('Runtime.enable').then(() => this.#replaying.delete('Runtime'), ignored);
    session.send('Runtime.setMaxCallStackSizeToCapture', { size: STACK_FRAMES }).catch(ignored);
    session.send('Log.enable').then(() => this.#replaying.delete('Log'), ignored);
  }

  /** The target has another address or type. */
  update(info: TargetInfo): void {
    this.info = info;
  }

  /** Lets the browser free the objects of messages, which it keeps for this connection otherwise. */
  releaseObjects(): void {
    if (!this.#hasObjects) return;
    this.#hasObjects = false;
    this.session.send('Runtime.releaseObjectGroup', { objectGroup: 'console' }).catch(() => undefined);
  }

  /** The target has gone, and its messages are replayed no more. */
  forget(): void {
    for (const domain of ['Runtime', 'Log'] as const) this.host.shown.delete(this.#shownKey(domain));
  }

  #shownKey(domain: Domain): string {
    return `${domain} ${this.info.targetId}`;
  }

  /** Whether a message was not shown yet; `at`: milliseconds since the epoch by the browser's clock. */
  #isNew(domain: Domain, at: number): boolean {
    if (at <= this.#shownBefore[domain]) return false;
    this.host.shown.set(this.#shownKey(domain), at);
    return true;
  }

  readonly #onCall = ({ type, args, executionContextId, timestamp, stackTrace }: ConsoleCall): void => {
    if (!this.#isNew('Runtime', timestamp)) return;
    const context = this.#contexts.nameOf(this.info, executionContextId, topUrl(stackTrace));
    const level = levelOfCall(type);
    if (context === undefined || level === undefined) return;
    if (type === 'endGroup') {
      this.#contexts.changeGroup(executionContextId, -1);
      return;
    }
    const indent = '  '.repeat(Math.min(this.#contexts.groupOf(executionContextId), MAX_INDENT));
    if (type === 'startGroup' || type === 'startGroupCollapsed') this.#contexts.changeGroup(executionContextId, 1);
    const location = this.#locationOf(stackTrace);
    const stack = type === 'trace' ? this.#stackText(stackTrace) : '';
    this.#pushArguments({ level, context, at: timestamp }, args, (values) => {
      const text = this.#ownFrames(textOfCall(type, values)) + stack;
      return { text: indent === '' ? text : text.replaceAll(/^/gm, indent), location };
    });
  };

  readonly #onException = ({ timestamp, exceptionDetails }: Protocol.Runtime.ExceptionThrownEvent): void => {
    if (!this.#isNew('Runtime', timestamp)) return;
    const { text, exception, stackTrace, url = '', lineNumber, columnNumber, executionContextId } = exceptionDetails;
    const context = this.#contexts.nameOf(this.info, executionContextId, topUrl(stackTrace) || url);
    if (context === undefined) return;
    const thrown = this.#isOwnCode(url) ? { url, line: lineNumber + 1, column: columnNumber + 1 } : undefined;
    const location = this.#locationOf(stackTrace) ?? thrown;
    this.#pushArguments({ level: 'error', context, at: timestamp }, exception ? [exception] : [], (values) => ({
      text: this.#ownFrames([text, argumentsText(values)].join(' ').trim()),
      location,
    }));
  };

  readonly #onEntry = ({ entry }: Protocol.Log.EntryAddedEvent): void => {
    const { source, level, text, timestamp, url = '', lineNumber, networkRequestId, stackTrace } = entry;
    if (!this.#isNew('Log', timestamp)) return;
    if (source === 'network' && networkRequestId !== undefined && this.#requests.has(networkRequestId)) {
      this.#pushFailure(this.#requests.fail(networkRequestId, reasonOf(text)), timestamp);
      return;
    }
    if (this.info.type === 'service_worker' && text === NAMELESS_FAILURE) return;
    const isOwn = text.includes(this.#origin) || [url, topUrl(stackTrace)].some((one) => one.startsWith(this.#origin));
    const context = this.#contexts.nameOfEntry(this.info, { isOwn });
    if (context === undefined || (source === 'security' && this.#isSecondPolicy(text, url, timestamp))) return;
    const line = this.#isOwnCode(url) && lineNumber !== undefined ? { url, line: lineNumber + 1 } : undefined;
    const shown = limitText(
      source === 'network' && url !== '' ? this.#requests.failureText({ url }, reasonOf(text)) : text,
    );
    this.#push('Log', {
      level: levelOfEntry(level),
      context,
      at: timestamp,
      read: () => ({ text: this.#ownFrames(shown), location: this.#locationOf(stackTrace) ?? line }),
    });
  };

  /** Two policies may have forbidden the same (C-CONSOLE-POLICIES). */
  #isSecondPolicy(text: string, url: string, at: number): boolean {
    const [what = ''] = text.split('violates the following', 1);
    const last = this.#lastPolicy;
    this.#lastPolicy = { text: `${url} ${limitText(what)}`, at };
    return last.text === this.#lastPolicy.text && at - last.at < SECOND_POLICY_MS;
  }

  #pushFailure(text: ConsoleText | undefined, at = Date.now()): void {
    if (!text) return;
    const context = this.#contexts.nameOfEntry(this.info, { isOwn: true });
    if (context !== undefined) this.#push('Log', { level: 'error', context, at, read: () => text });
  }

  #pushArguments(
    about: Pick<ConsoleMessage, 'level' | 'context' | 'at'>,
    all: readonly RemoteObject[],
    read: (args: readonly RemoteObject[]) => ConsoleText,
  ): void {
    const args = limitArguments(all);
    this.#hasObjects ||= args.some(({ objectId }) => objectId !== undefined);
    const complete = (): Promise<ConsoleText> => completeArguments(this.session, args).then(read);
    this.#push('Runtime', {
      ...about,
      read: () => read(args),
      ...(!isComplete(args) && { complete }),
    });
  }

  /**
   * The clock of a browser on another machine may be behind or ahead: by the times alone, what is written now would be earlier, and what was written
   * before would not.
   */
  #push(domain: Domain, message: ConsoleMessage): void {
    const isEarlier = this.#replaying.has(domain) && Math.abs(this.#attachedAt - message.at) > EARLIER_MS;
    this.host.push({ ...message, isEarlier });
  }

  /** Whether code is of the extension: in its own pages and workers, what a development server has given is, too. */
  #isOwnCode(url: string): boolean {
    return url.startsWith(this.#origin) || (loopbackPort(url) !== undefined && this.isOwn);
  }

  /** The first frame of the extension: its script may have called into that of another. */
  #locationOf(stack: StackTrace): BuiltLocation | undefined {
    const frame = stack?.callFrames.find(({ url }) => this.#isOwnCode(url));
    return frame && { url: frame.url, line: frame.lineNumber + 1, column: frame.columnNumber + 1 };
  }

  #stackText(stack: StackTrace): string {
    const frames = stack?.callFrames.filter(({ url }) => this.#isOwnCode(url)) ?? [];
    return frames
      .map(({ functionName, url, lineNumber, columnNumber }) => {
        const location = `${url}:${lineNumber + 1}:${columnNumber + 1}`;
        return `\n    at ${functionName === '' ? location : `${functionName} (${location})`}`;
      })
      .join('');
  }

  /** A text with stacks in which only the frames of the extension are left. */
  #ownFrames(text: string): string {
    if (!text.includes('\n')) return text;
    return text
      .split('\n')
      .filter((line) => !/^\s+at /.test(line) || line.includes(this.#origin) || (this.isOwn && SERVED.test(line)))
      .join('\n');
  }
}

function topUrl(stack: StackTrace): string {
  return stack?.callFrames[0]?.url ?? '';
}

/** Why a request has failed, from the sentence that Chromium writes (C-CONSOLE-REQUEST). */
function reasonOf(text: string): string {
  return text.replace(/^Failed to load resource: (the server responded with a status of )?/, '');
}

function textOfCall(type: ConsoleCall['type'], args: readonly RemoteObject[]): string {
  switch (type) {
    case 'assert':
      return l10n.t('Assertion failed: {0}', argumentsText(args));
    case 'table':
      return tableText(args);
    default:
      return argumentsText(args);
  }
}

/** The levels of console calls that are no information. */
const CALL_LEVELS: Partial<Record<ConsoleCall['type'], ConsoleLevel>> = {
  debug: 'debug',
  warning: 'warn',
  error: 'error',
  assert: 'error',
};
const SILENT_CALLS: readonly ConsoleCall['type'][] = ['clear', 'profile', 'profileEnd'];

/** The level of a console call; undefined for calls that write nothing. */
function levelOfCall(type: ConsoleCall['type']): ConsoleLevel | undefined {
  return SILENT_CALLS.includes(type) ? undefined : (CALL_LEVELS[type] ?? 'info');
}

function levelOfEntry(level: Protocol.Log.LogEntry['level']): ConsoleLevel {
  return ({ verbose: 'debug', info: 'info', warning: 'warn', error: 'error' } as const)[level];
}
