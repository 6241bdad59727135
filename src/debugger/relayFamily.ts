import type { RelayChild } from './relayChild';
import type { RelayTarget } from './relayTargets';

/** How deep targets may be within targets: frames in frames of other sites. */
const MAX_DEPTH = 100;

/** The targets that the debugger knows, by the ids of their sessions: the children of the made-up page, and those within them. */
export class RelayFamily extends Map<string, RelayChild> {
  /** `root`: the session of the made-up page. */
  constructor(private readonly root: string) {
    super();
  }

  get all(): RelayChild[] {
    return [...this.values()];
  }

  /** Whether a session can begin in another one: one that exists already could be within itself. */
  takes(sessionId: string, parent: string): boolean {
    const above = this.get(parent);
    return !this.has(sessionId) && (above === undefined || this.lineOf(above).length < MAX_DEPTH);
  }

  /** The child of the made-up page with this target. */
  ofTarget(targetId: string): RelayChild | undefined {
    return this.all.find(({ parent, target }) => parent === this.root && target.targetId === targetId);
  }

  /** A target and those that it is in, from the inside out. */
  lineOf(child: RelayChild): RelayChild[] {
    const line = [child];
    for (let above = this.get(child.parent); above; above = this.get(above.parent)) line.push(above);
    return line;
  }

  /** The target itself, or the page that it is in. */
  pageOf(child: RelayChild): RelayTarget {
    return this.lineOf(child).at(-1)?.target ?? child.target;
  }

  /** The sessions of the targets within one. */
  within(sessionId: string): string[] {
    return this.all.filter(({ parent }) => parent === sessionId).map((child) => child.sessionId);
  }
}
