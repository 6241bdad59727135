/** A map of bounded size: a value that is set becomes its latest one, and the one that was set longest ago is dropped for it. */
export class RecentMap<K, V> extends Map<K, V> {
  /** `most`: how many values it has at most. `dropped` is called with each value that another has taken the room of. */
  constructor(
    private readonly most: number,
    private readonly dropped: (value: V) => void = () => undefined,
  ) {
    super();
  }

  override set(key: K, value: V): this {
    this.delete(key);
    super.set(key, value);
    for (const [oldest, old] of this) {
      if (this.size <= this.most) break;
      this.delete(oldest);
      this.dropped(old);
    }
    return this;
  }

  /** The value of a key, made if there is none, which becomes the latest one. */
  latest(key: K, make: () => V): V {
    const value = this.get(key) ?? make();
    this.set(key, value);
    return value;
  }
}
