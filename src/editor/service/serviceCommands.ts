import * as l10n from '@vscode/l10n';
import { ConfigurationTarget, workspace } from 'vscode';
import { COMMANDS, SETTINGS } from '../../ids';
import { AddressError, parseBaseUrl, TOKEN_VARIABLE } from '../../service/serviceAddress';
import { ServiceError } from '../../service/serviceErrors';
import { UserError } from '../errorTexts';
import { Notice } from '../notice';
import { askText, openNotice, pick, showInformation, showStatus } from '../notify';
import { readServiceSettings, type ServiceChoice } from '../settings';
import { buttonsOf } from '../waysOut';
import type { ServiceWiring } from './connection';
import { serviceName } from './serviceName';

/** Commands that choose the service and its token. */
export class ServiceCommands {
  readonly handlers = {
    [COMMANDS.chooseService]: () => this.choose(),
    [COMMANDS.setToken]: () => this.setToken(),
    [COMMANDS.clearToken]: () => this.clearToken(),
    [COMMANDS.removeAllData]: async () => (await import('./removeData')).removeAllData(this.wiring),
  };
  /** That the token is refused, until there is another one, or another service. */
  readonly #refusal = new Notice(openNotice);

  constructor(private readonly wiring: ServiceWiring) {
    const withdraw = (): void => this.#refusal.withdraw();
    wiring.own(wiring.connection.onDidChange(withdraw), { dispose: withdraw });
  }

  async choose(): Promise<void> {
    const current = readServiceSettings();
    const choices: { label: string; description: string; service: ServiceChoice }[] = [
      { label: l10n.t('Local'), description: l10n.t('a Chromium on this machine, no account'), service: 'local' },
      { label: l10n.t('Cloud'), description: l10n.t('the public service, with a token'), service: 'cloud' },
      { label: l10n.t('Other Address…'), description: current.serviceUrl, service: 'other' },
    ];
    const choice = await pick(
      choices.map((entry) => (entry.service === current.service ? { ...entry, icon: 'check' } : entry)),
      { placeHolder: l10n.t('Select the Browser Cloud Service to use') },
    );
    if (!choice) return;
    const settings = workspace.getConfiguration();
    if (choice.service === 'other') {
      const address = await askText({
        title: l10n.t('Address of the service'),
        value: current.serviceUrl,
        placeHolder: 'https://service.example.com',
        problemOf: addressProblem,
      });
      if (address === undefined) return;
      await settings.update(SETTINGS.serviceUrl, parseBaseUrl(address).href, ConfigurationTarget.Global);
    }
    await settings.update(SETTINGS.service, choice.service, ConfigurationTarget.Global);
    this.wiring.log.info(`Service in use: ${serviceName()}`);
    if (await this.wiring.connection.needsToken()) await this.setToken();
  }

  async setToken(): Promise<void> {
    const url = this.#requireRemote();
    const token = await askText({
      title: l10n.t('Token for {0}', url.host),
      prompt: l10n.t("It is kept in the editor's secret storage and sent to {0} only.", url.host),
      isSecret: true,
      problemOf: (text) => (text.trim() === '' ? l10n.t('Enter the token.') : undefined),
    });
    if (token === undefined) return;
    this.wiring.log.hide(token.trim());
    await this.wiring.connection.tokens.store(url, token.trim());
    this.wiring.log.info(`A token for ${url.host} is stored`);
    if (await this.#isRefused()) this.#showRefusal(url);
    else showStatus(l10n.t('The token for {0} is stored', url.host));
  }

  async clearToken(): Promise<void> {
    const url = this.#requireRemote();
    const isReplaced = await this.wiring.connection.tokens.clear(url);
    this.wiring.log.info(`The stored token for ${url.host} is removed`);
    showInformation(
      isReplaced
        ? l10n.t(
            'The stored token for {0} is removed. That of the environment variable {1} is used now.',
            url.host,
            TOKEN_VARIABLE,
          )
        : l10n.t('The token for {0} is removed.', url.host),
    );
  }

  /** Whether the service does not accept the stored token; false, too, when it cannot be asked, which the lists say. */
  async #isRefused(): Promise<boolean> {
    try {
      await (await this.wiring.connection.client()).pageOfProfiles({}, 0);
      return false;
    } catch (error) {
      return error instanceof ServiceError && error.kind === 'unauthorized';
    }
  }

  #showRefusal(url: URL): void {
    this.wiring.log.warn(`The service at ${url.host} did not accept the token`);
    const text = l10n.t('The service at {0} did not accept the token.', url.host);
    this.#refusal.show(text, { buttons: buttonsOf([{ label: l10n.t('Set Token'), command: COMMANDS.setToken }]) });
  }

  #requireRemote(): URL {
    const url = this.wiring.connection.remoteUrl;
    if (!url) {
      throw new UserError(
        l10n.t('The local service needs no token. Run "Sideload: Choose Service…" to use another one.'),
      );
    }
    return url;
  }
}

function addressProblem(text: string): string | undefined {
  try {
    parseBaseUrl(text);
    return undefined;
  } catch (error) {
    if (error instanceof AddressError) return error.message;
    throw error;
  }
}
