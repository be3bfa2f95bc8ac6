import type { Egress } from '@acervo/platform-egress';

/** Fetches pages of sites for one group. */
export type SiteClient = Pick<Egress, 'fetch' | 'sitemapsOf'>;

/** The group that sites are asked for, and what ends the requests. */
export interface SiteAsker {
  readonly group: string;
  readonly signal?: AbortSignal;
}
