import type { Egress } from '@acervo/platform-egress';

/** Fetches pages of sites for one group. */
export type SiteClient = Pick<Egress, 'fetch' | 'sitemapsOf'>;
