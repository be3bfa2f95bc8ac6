import { InvalidInput } from '@acervo/contracts';

/** PostgreSQL and browsers agree on all dates of these years. */
const YEAR = /^(19[7-9]\d|[2-9]\d{3})-/;

/**
 * An instant of the calendar in milliseconds, as the database returns it.
 * @throws InvalidInput for a day or an hour that no calendar has, and for years before 1970
 */
export const releaseMoment = (text: string): string => {
  const at = new Date(text);
  const isReal = !Number.isNaN(at.getTime()) && at.toISOString().slice(0, 19) === text.slice(0, 19);
  if (!isReal || !YEAR.test(text)) throw new InvalidInput({ missing: [], invalid: ['fecha_publicacion'], unknown: 0 });
  return at.toISOString();
};
