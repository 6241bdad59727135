import type { ServiceClient } from './client';

/**
 * A Browser Cloud Service, as the rooms above use it: what its client offers, whoever gives it. A second provider is another implementation, with an
 * answer of `model.ts` for each method.
 */
export type BrowserService = { readonly [Name in keyof ServiceClient]: ServiceClient[Name] };
