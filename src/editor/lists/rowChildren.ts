import type { Node } from './nodes';

/**
 * Reads what is below a row and resolves to what draws it. Never rejects. `isWanted`: whether the row is still expanded, and no later reading of it
 * has begun; to be asked when something has been read.
 */
export type ReadChildren = (isWanted: () => boolean) => Promise<() => Node<unknown>[]>;

/** What reads the rows below a row; undefined for a row that cannot be expanded. */
export type ChildrenOf = (row: Node<unknown>) => ReadChildren | undefined;

/** A row that is expanded, and what was read for it. */
interface Expanded {
  row: Node<unknown>;
  /** The rows below it that were drawn last. */
  drawn: readonly Node<unknown>[];
  reading: Promise<() => Node<unknown>[]>;
  /** How many readings have begun; the last one is to replace `reading`. */
  readings: number;
}

const NOTHING = Promise.resolve(() => []);

/** The rows below rows: read when a row is expanded, and remembered until it is collapsed. The ids of rows begin with that of the row above. */
export class RowChildren {
  /** By the id of the row above. */
  readonly #expanded = new Map<string, Expanded>();
  /** The ids of rows that were collapsed since they were expanded last. */
  readonly #collapsed = new Set<string>();

  constructor(private readonly childrenOf: ChildrenOf) {}

  canExpand(row: Node<unknown>): boolean {
    return this.childrenOf(row) !== undefined;
  }

  async of(row: Node<unknown>): Promise<Node<unknown>[]> {
    const expanded = this.#expanded.get(row.id) ?? this.#expand(row);
    if (!expanded) return [];
    const rows = (await expanded.reading)();
    expanded.row = row;
    expanded.drawn = rows;
    return rows;
  }

  /** The row that a row was drawn below. */
  parentOf(row: Node<unknown>): Node<unknown> | undefined {
    return [...this.#expanded.values()].find(({ drawn }) => drawn.includes(row))?.row;
  }

  /**
   * Reads again what is below the row `id`, and below the expanded rows among them, if it is remembered; resolves to the rows that must be drawn
   * again. What was read before is shown until then. A row whose texts have changed is drawn alone, and the row above only when there are others,
   * or in another order: VS Code forgets all rows below a row that it draws until it has asked for them, and a click on one of them would reach
   * its command without the row. What nobody sees (`isSeen`) is read when it is drawn.
   */
  async readAgain(id: string, isSeen: boolean): Promise<readonly Node<unknown>[]> {
    const expanded = this.#expanded.get(id);
    if (!expanded) return [];
    if (!isSeen) {
      this.#delete(id);
      return [expanded.row];
    }
    return (await Promise.all(this.#within(id).map((one) => this.#replace(one)))).flat();
  }

  /** The rows that would be drawn in another way now, of what was read last; as `readAgain` without reading. */
  async outdated(id: string): Promise<readonly Node<unknown>[]> {
    const expanded = this.#expanded.get(id);
    if (!expanded) return [];
    const fresh = (await expanded.reading)();
    return this.#expanded.get(id) === expanded ? update(expanded, fresh) : [];
  }

  /** To be called before the rows below a row that was expanded are asked for. */
  expand(id: string): void {
    this.#collapsed.delete(id);
  }

  /**
   * Deletes what is below a row, and below the rows there, and remembers nothing of them until it is expanded: VS Code may still ask for them, when
   * it has drawn the row above. Returns whether it had been read.
   */
  collapse(id: string): boolean {
    this.#collapsed.add(id);
    return this.#delete(id);
  }

  clear(): void {
    this.#expanded.clear();
    this.#collapsed.clear();
  }

  #delete(id: string): boolean {
    const isKnown = this.#expanded.has(id);
    for (const one of this.#within(id)) this.#expanded.delete(one);
    return isKnown;
  }

  #expand(row: Node<unknown>): Expanded | undefined {
    const read = this.childrenOf(row);
    if (!read) return undefined;
    const expanded: Expanded = { row, drawn: [], reading: NOTHING, readings: 0 };
    if (!this.#isHidden(row.id)) this.#expanded.set(row.id, expanded);
    expanded.reading = read(this.#begin(expanded));
    return expanded;
  }

  /** Counts a reading that is about to begin; returns whether it is wanted from then on. */
  #begin(expanded: Expanded): () => boolean {
    const { id } = expanded.row;
    expanded.readings += 1;
    const { readings } = expanded;
    return () => this.#expanded.get(id) === expanded && expanded.readings === readings;
  }

  /** Whether a row, or one above it, was collapsed. */
  #isHidden(id: string): boolean {
    return [...this.#collapsed].some((one) => isAtOrBelow(id, one));
  }

  /** The expanded rows that are the row `id` or below it. */
  #within(id: string): string[] {
    return [...this.#expanded.keys()].filter((one) => isAtOrBelow(one, id));
  }

  /** Resolves to the rows that must be drawn again; to none when a reading that began later replaces this one. */
  async #replace(id: string): Promise<readonly Node<unknown>[]> {
    const expanded = this.#expanded.get(id);
    const read = expanded && this.childrenOf(expanded.row);
    if (!read) return [];
    const isWanted = this.#begin(expanded);
    const newest = read(isWanted);
    const fresh = (await newest)();
    if (!isWanted()) return [];
    expanded.reading = newest;
    return update(expanded, fresh);
  }
}

/** Whether the row `id` is the row `above`, or below it. */
function isAtOrBelow(id: string, above: string): boolean {
  return id === above || id.startsWith(`${above}/`);
}

/**
 * Gives the drawn rows the texts and items of `fresh` ones; returns those whose texts have changed. Where there are other rows, or in another
 * order, nothing changes, and the row above is returned, with which VS Code asks for them.
 */
function update({ row: above, drawn }: Expanded, fresh: readonly Node<unknown>[]): readonly Node<unknown>[] {
  if (drawn.length !== fresh.length || !fresh.every(({ id }, at) => id === drawn[at]?.id)) return [above];
  const textOf = (row: Node<unknown>): string => JSON.stringify({ ...row, item: undefined });
  return drawn.filter((row, at) => {
    const before = textOf(row);
    return textOf(Object.assign(row, fresh[at])) !== before;
  });
}
