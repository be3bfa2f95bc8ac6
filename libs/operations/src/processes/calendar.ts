import type { ProcessPeriod } from '@acervo/public-mapping';

const DAY_MS = 86_400_000;

const midnight = (at: Date): Date => new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), at.getUTCDate()));
const daysAfter = (at: Date, days: number): Date => new Date(at.getTime() + days * DAY_MS);

/** When the period of a moment began, in UTC; weeks begin on Monday. */
export const periodStart = (period: ProcessPeriod, at: Date): Date => {
  if (period === 'DIA') return midnight(at);
  if (period === 'SEMANA') return daysAfter(midnight(at), -((at.getUTCDay() + 6) % 7));
  return new Date(Date.UTC(at.getUTCFullYear(), at.getUTCMonth(), 1));
};

/** The next midnight in UTC, at which every period begins that does not go on. */
export const nextMidnight = (at: Date): Date => daysAfter(midnight(at), 1);
