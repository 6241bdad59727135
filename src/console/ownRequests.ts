import * as l10n from '@vscode/l10n';
import { RecentMap } from '../base/recentMap';
import type { Protocol } from '../devtools/protocol/connect';
import { pathInExtension } from '../devtools/protocol/extensionUrl';
import type { BuiltLocation, ConsoleText } from './consoleLine';
import { limitText } from './remoteArguments';

type Initiator = Protocol.Network.Initiator;

/** Requests that are remembered; the oldest are forgotten. */
const MAX_REQUESTS = 500;

interface Request {
  method: string;
  url: string;
  location: BuiltLocation | undefined;
  isReported: boolean;
}

/** The requests of the extension in one page or worker, and which of them have failed. */
export class OwnRequests {
  readonly #requests = new RecentMap<string, Request>(MAX_REQUESTS);
  readonly #origin: string;

  constructor(
    private readonly extensionId: string,
    private readonly isWorker: boolean,
  ) {
    this.#origin = `chrome-extension://${extensionId}/`;
  }

  /** Remembers a request of the extension: of a document of it, or by a script of it. */
  begin({ requestId, documentURL, request, initiator }: Protocol.Network.RequestWillBeSentEvent): void {
    const [top] = initiator.stack?.callFrames ?? [];
    if (!documentURL.startsWith(this.#origin) && top?.url.startsWith(this.#origin) !== true) return;
    const url = limitText(request.url);
    this.#requests.set(requestId, {
      method: request.method,
      url,
      location: this.#locationOf(initiator),
      isReported: false,
    });
  }

  /** Whether the extension has made the request. */
  has(requestId: string): boolean {
    return this.#requests.has(requestId);
  }

  /** A response of a request; its message when it is an error. */
  respond({ requestId, response }: Protocol.Network.ResponseReceivedEvent): ConsoleText | undefined {
    const { status, statusText } = response;
    return status >= 400 ? this.fail(requestId, `${status} ${statusText}`.trim()) : undefined;
  }

  /** The end of a request without a response; its message, unless the extension itself has aborted it. */
  end(event: Protocol.Network.LoadingFailedEvent): ConsoleText | undefined {
    const { requestId, errorText, canceled, blockedReason, corsErrorStatus } = event;
    if (canceled === true) return undefined;
    const why = corsErrorStatus?.corsError ?? blockedReason;
    return this.fail(requestId, why === undefined ? errorText : `${errorText} (${why})`);
  }

  /** The message of a request that has failed, once; undefined for one that the extension has not made. */
  fail(requestId: string, reason: string): ConsoleText | undefined {
    const request = this.#requests.get(requestId);
    if (!request || request.isReported) return undefined;
    request.isReported = true;
    return { text: this.failureText(request, reason), location: request.location };
  }

  /** What is written about a failed request; one of a file of the extension has no method. */
  failureText({ method = '', url }: { method?: string; url: string }, reason: string): string {
    const path = pathInExtension(url, this.extensionId);
    if (path === undefined) return l10n.t('{0} failed: {1}', `${method} ${url}`.trim(), reason);
    return this.isWorker
      ? l10n.t('The imported script {0} failed to load: {1}', path, reason)
      : l10n.t('The file {0} failed to load: {1}', path, reason);
  }

  #locationOf({ stack, url = '', lineNumber, columnNumber }: Initiator): BuiltLocation | undefined {
    const frame = stack?.callFrames.find((one) => one.url.startsWith(this.#origin));
    if (frame) return { url: frame.url, line: frame.lineNumber + 1, column: frame.columnNumber + 1 };
    if (!url.startsWith(this.#origin) || lineNumber === undefined) return undefined;
    return { url, line: lineNumber + 1, ...(columnNumber !== undefined && { column: columnNumber + 1 }) };
  }
}
