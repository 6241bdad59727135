import type { Browser, Profile } from '../../service/model';

/** Which browsers use which profiles: an index, since a list may have thousands of both. */
export class ProfileUsers {
  /** By the ids and the names of their profiles. */
  readonly #users = new Map<string, Set<Browser>>();

  constructor(readonly browsers: readonly Browser[]) {
    for (const browser of browsers) {
      if (browser.deletedAt || !browser.profile) continue;
      const { id, name } = browser.profile;
      for (const named of [id, name]) if (named) this.#usersOf(named).add(browser);
    }
  }

  /** The browsers that a profile is loaded in, in their order. Of one that was entered, `id` may be the name. */
  of({ id }: Pick<Profile, 'id'>): readonly Browser[] {
    return [...(this.#users.get(id) ?? [])];
  }

  #usersOf(named: string): Set<Browser> {
    const users = this.#users.get(named) ?? new Set();
    this.#users.set(named, users);
    return users;
  }
}
