/** The first and the last day of a period, as `2026-01-31`. */
export interface Period {
  readonly periodStart: string;
  readonly periodEnd: string;
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);

/** The period that a moment lies in. @param startDay day of the month, 1 to 28, on which periods begin in UTC */
export const periodAt = (now: number, startDay: number): Period => {
  const at = new Date(now);
  const month = at.getUTCMonth() - (at.getUTCDate() < startDay ? 1 : 0);
  const startOf = (which: number): number => Date.UTC(at.getUTCFullYear(), which, startDay);
  return { periodStart: dayOf(startOf(month)), periodEnd: dayOf(startOf(month + 1) - 1) };
};
