import type { Plan } from '@acervo/contracts';

/** The plan of a group without an assigned one: everything is counted, nothing is limited. */
export const FREE_LOCAL: Plan = { code: 'FREE-LOCAL', startDay: 1, quotas: [] };
