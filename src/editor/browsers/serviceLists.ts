import { commands, Disposable } from 'vscode';
import { COMMANDS, CONTEXT, VIEWS } from '../../ids';
import type { BrowserSession, Profile, StoredExtension } from '../../service/model';
import { ListView } from '../lists/listView';
import { browserNode, extensionNode, profileNode, type PushRole } from '../lists/nodes';
import type { ServiceConnection, ServiceParts } from '../service/connection';
import type { PushPins } from './pins';
import type { PushTarget } from './target';

/** The three lists of the sidebar: browsers, profiles and stored extensions. They load when they become visible. */
export class ServiceLists implements Disposable {
  readonly browsers: ListView<BrowserSession>;
  readonly profiles: ListView<Profile>;
  readonly extensions: ListView<StoredExtension>;
  readonly handlers = { [COMMANDS.refresh]: () => this.refresh() };
  readonly #subscriptions: Disposable;

  constructor({ connection, log, target, pins }: ServiceParts & { target: PushTarget; pins: PushPins }) {
    this.browsers = new ListView<BrowserSession>({
      id: VIEWS.browsers,
      connection,
      log,
      load: (client, signal) => client.listBrowsers({}, signal),
      node: (session) => browserNode(session, roleOf(session, pins, target), Date.now()),
      onReached: (isReached) => void setReachContext(connection, isReached),
    });
    this.profiles = new ListView<Profile>({
      id: VIEWS.profiles,
      connection,
      log,
      load: (client, signal) => client.listProfiles({}, signal),
      node: (profile) => profileNode(profile, Date.now()),
    });
    this.extensions = new ListView<StoredExtension>({
      id: VIEWS.extensions,
      connection,
      log,
      load: (client, signal) => client.listExtensions({}, signal),
      node: (extension) => extensionNode(extension, Date.now()),
    });
    const redraw = (): void => {
      this.browsers.redraw();
    };
    this.#subscriptions = Disposable.from(
      target.onDidChange(redraw),
      pins.onDidChange(redraw),
      connection.onDidChange(() => void setReachContext(connection, true)),
      this.browsers,
      this.profiles,
      this.extensions,
    );
    void setReachContext(connection, true);
  }

  /** Loads all lists again. Never rejects: each list shows its own failure. */
  async refresh(): Promise<void> {
    await Promise.all([this.browsers.refresh(), this.profiles.refresh(), this.extensions.refresh()]);
  }

  dispose(): void {
    this.#subscriptions.dispose();
  }
}

/** While browsers are pinned, the single target is not used. */
function roleOf({ session_id }: BrowserSession, pins: PushPins, target: PushTarget): PushRole {
  if (pins.has(session_id)) return 'pinned';
  return pins.isEmpty && target.sessionId === session_id ? 'target' : 'none';
}

/** Sets the context keys that select the welcome text of an empty view. */
async function setReachContext(connection: ServiceConnection, isReached: boolean): Promise<void> {
  const needsToken = await connection.needsToken().catch(() => true);
  await commands.executeCommand('setContext', CONTEXT.needsToken, needsToken);
  await commands.executeCommand('setContext', CONTEXT.unreachable, !isReached && !needsToken);
}
