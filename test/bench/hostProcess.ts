import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { atEnd } from '../support/cleanup';

/** What a process answers that could not do what it was asked for. */
interface Failure {
  error: string;
}

/** Starts a program of the bench as a process of its own, which answers by {@link answerMessages} and ends with the bench. */
export function startHost(file: string, execArgv = process.execArgv): ChildProcess {
  const child = fork(file, { execArgv });
  atEnd(`the process of ${file}`, () => {
    if (child.connected) child.disconnect();
    return Promise.resolve();
  });
  return child;
}

/** Sends a message to such a process and resolves to its answer. Rejects with the reason for which there is none. */
export async function ask<Answer extends object>(child: ChildProcess, message: object | string): Promise<Answer> {
  // A process that is asked a hundred times keeps no listener of each.
  const over = new AbortController();
  const { signal } = over;
  const ended = once(child, 'exit', { signal }).then(() => Promise.reject(new Error('the process has ended')));
  ended.catch(() => undefined);
  const answered = once(child, 'message', { signal }).then(([answer]: unknown[]) => answer as Answer | Failure);
  answered.catch(() => undefined);
  child.send(message);
  try {
    const answer = await Promise.race([answered, ended]);
    if ('error' in answer) throw new Error(answer.error);
    return answer;
  } finally {
    over.abort();
  }
}

/** In such a process: answers each message with what `act` resolves to, and ends the process with its parent. */
export function answerMessages(act: (message: unknown) => Promise<object>): void {
  process.on('message', (message) => {
    act(message).then(
      (answer) => process.send?.(answer),
      (error: unknown) => process.send?.({ error: String(error) } satisfies Failure),
    );
  });
  process.once('disconnect', () => process.exit());
}
