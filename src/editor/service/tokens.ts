import type { ExtensionContext } from 'vscode';
import { TOKEN_SECRET_PREFIX } from '../../ids';
import { tokenOfVariable } from '../../service/serviceAddress';
import { TokenStorageError } from '../errorTexts';

/** The service's tokens, one per base address, in VS Code's secret storage and nowhere else. */
export class TokenStore {
  constructor(private readonly secrets: ExtensionContext['secrets']) {}

  /** The token for `baseUrl`: the stored one, else the environment variable's. */
  async read(baseUrl: URL): Promise<string | undefined> {
    const fromEnvironment = tokenOfVariable(process.env);
    try {
      return (await this.secrets.get(keyOf(baseUrl))) ?? fromEnvironment;
    } catch (cause) {
      if (fromEnvironment !== undefined) return fromEnvironment;
      throw new TokenStorageError('read', { cause });
    }
  }

  /** Whether a secret, by its key, is the token for `baseUrl`. */
  isOf(baseUrl: URL, secret: string): boolean {
    return secret === keyOf(baseUrl);
  }

  async store(baseUrl: URL, token: string): Promise<void> {
    try {
      await this.secrets.store(keyOf(baseUrl), token);
    } catch (cause) {
      throw new TokenStorageError('store', { cause });
    }
  }

  /** Removes the stored token, and returns whether that of the environment variable is used from now on. */
  async clear(baseUrl: URL): Promise<boolean> {
    try {
      await this.secrets.delete(keyOf(baseUrl));
    } catch (cause) {
      throw new TokenStorageError('delete', { cause });
    }
    return tokenOfVariable(process.env) !== undefined;
  }

  /** Removes the stored tokens of all services. */
  async clearAll(): Promise<void> {
    try {
      const keys = await this.secrets.keys();
      await Promise.all(keys.map((key) => this.secrets.delete(key)));
    } catch (cause) {
      throw new TokenStorageError('delete', { cause });
    }
  }
}

function keyOf(baseUrl: URL): string {
  return TOKEN_SECRET_PREFIX + baseUrl.href;
}
