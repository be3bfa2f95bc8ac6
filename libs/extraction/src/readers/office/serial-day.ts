const DAY = 86_400_000;
/** Day 0 of the two calendars of Excel; the first one includes the nonexistent 29 February 1900. */
const EPOCH_1900 = Date.UTC(1899, 11, 30);
const EPOCH_1904 = Date.UTC(1904, 0, 1);
const NONEXISTENT_DAY = 60;
export const LAST_DAY = 2_958_466;

/** The moment of a serial day, rounded to parts of a second. */
export const momentOf = (serial: number, in1904: boolean, partsOfSecond = 1): Date => {
  const unit = 1000 / partsOfSecond;
  const isEarly = !in1904 && serial >= 1 && serial < NONEXISTENT_DAY;
  const days = isEarly ? serial + 1 : serial;
  return new Date((in1904 ? EPOCH_1904 : EPOCH_1900) + Math.round((days * DAY) / unit) * unit);
};

/** A serial day as ISO 8601: date, date with time, or time alone. */
export const isoOf = (serial: number, in1904: boolean): string => {
  const [date = '', time = ''] = momentOf(serial, in1904).toISOString().split('T');
  const clock = time.slice(0, 8);
  if (serial < 1) return clock;
  return clock === '00:00:00' ? date : `${date} ${clock}`;
};
