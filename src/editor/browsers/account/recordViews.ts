import { commands } from 'vscode';
import { COMMANDS, CONTEXT, VIEWS } from '../../../ids';
import type { ServiceWiring } from '../../service/connection';
import { setContext, type ServiceLists } from '../serviceLists';

/** Whether the user wants to see both views in this workspace, also while there is nothing in them. */
const ASKED_KEY = 'showsRecords';

/**
 * When the views of profiles and stored extensions are there: once something for them is known, such as the profile of a browser or an id that
 * was entered, or when the user asks for them. No request is made to find that out.
 */
export class RecordViews {
  readonly handlers = {
    [COMMANDS.showRecords]: () => this.#showBoth(),
  };
  #hasProfiles = false;
  #hasExtensions = false;

  constructor(private readonly wiring: ServiceWiring & { lists: ServiceLists }) {
    const { connection, lists } = wiring;
    const update = (): void => {
      this.#update();
    };
    wiring.own(
      // Each service has records of its own.
      connection.onDidChange(() => {
        this.#hasProfiles = false;
        this.#hasExtensions = false;
        this.#update();
      }),
      connection.entered.onDidChange(update),
      lists.browsers.onDidLoad(update),
      lists.profiles.onDidLoad(update),
      lists.extensions.onDidLoad(update),
    );
    this.#update();
  }

  async #showBoth(): Promise<void> {
    await this.wiring.context.workspaceState.update(ASKED_KEY, true);
    this.#update();
    for (const id of [VIEWS.extensions, VIEWS.profiles]) await commands.executeCommand(`${id}.focus`);
  }

  /** A view that is there stays: a search that finds nothing must not take it away. */
  #update(): void {
    const { connection, context, lists } = this.wiring;
    const { entered } = connection;
    this.#hasProfiles ||=
      lists.profiles.items.length > 0 ||
      entered.of('profile').length > 0 ||
      lists.browsers.items.some(({ profile }) => profile !== undefined && profile !== null);
    this.#hasExtensions ||= lists.extensions.items.length > 0 || entered.of('extension').length > 0;
    const isAsked = context.workspaceState.get<boolean>(ASKED_KEY, false);
    setContext(CONTEXT.showsProfiles, this.#hasProfiles || isAsked);
    setContext(CONTEXT.showsExtensions, this.#hasExtensions || isAsked);
  }
}
