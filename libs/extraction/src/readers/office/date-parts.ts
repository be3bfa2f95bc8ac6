const TOKEN = /"([^"]*)"|\\(.)|_.|\*.|\[[^[\]]*\]|A\/P|AM\/PM|y+|m+|d+|h+|s+(?:\.0{1,3})?|[\s\S]/gi;
const FIELD = /^(?:y+|m+|d+|h+|s+(?:\.0+)?)$/i;
const NOON = /^(?:A\/P|AM\/PM)$/i;

/** A piece of a code for dates and times: a text, or a field such as `mm`. */
export interface DatePart {
  readonly text: string;
  readonly isField: boolean;
  /** An `m` behind an hour or before a second. */
  readonly isMinute: boolean;
}

const textOf = (token: string, quoted: string | undefined, escaped: string | undefined): string => {
  if (quoted !== undefined || escaped !== undefined) return quoted ?? escaped ?? '';
  return /^[[_*@]/.test(token) ? '' : token;
};

const isDateField = ({ isField, text }: Omit<DatePart, 'isMinute'>): boolean => isField && !NOON.test(text);

/** The pieces of a section. */
export const datePartsOf = (section: string): DatePart[] => {
  const parts = [...section.matchAll(TOKEN)].map(([token, quoted, escaped]) => {
    const isField = quoted === undefined && escaped === undefined && (FIELD.test(token) || NOON.test(token));
    return { text: isField ? token : textOf(token, quoted, escaped), isField };
  });
  const fields = parts.filter(isDateField);
  let at = -1;
  return parts.map((part) => {
    if (isDateField(part)) at += 1;
    const isShort = part.isField && /^m{1,2}$/i.test(part.text);
    const isMinute = isShort && (/^h/i.test(fields[at - 1]?.text ?? '') || /^s/i.test(fields[at + 1]?.text ?? ''));
    return { ...part, isMinute };
  });
};

/** Parts of a second that a code shows: 1, 10, 100 or 1,000. */
export const partsOfSecond = (parts: readonly DatePart[]): number =>
  parts.reduce(
    (most, { text, isField }) => (isField ? Math.max(most, 10 ** (text.split('.')[1]?.length ?? 0)) : most),
    1,
  );

const nameOf = (moment: Date, language: string, part: Intl.DateTimeFormatOptions): string =>
  new Intl.DateTimeFormat(language, { ...part, timeZone: 'UTC' }).format(moment).replace(/\.$/, '');

const monthOf = (letters: number, moment: Date, language: string): string => {
  const name = nameOf(moment, language, { month: letters === 3 ? 'short' : 'long' });
  if (letters === 5) return name.charAt(0).toUpperCase();
  // Excel shortens the months of Spanish to three letters.
  return letters === 3 && language === 'es' ? name.slice(0, 3) : name;
};

const wide = (value: number, digits: number): string => String(value).padStart(digits > 1 ? 2 : 1, '0');

/** Writes dates and times in the form of a code. */
class DateWriting {
  private readonly isHalfDay: boolean;

  constructor(
    private readonly parts: readonly DatePart[],
    private readonly moment: Date,
    private readonly language: string,
  ) {
    this.isHalfDay = parts.some(({ isField, text }) => isField && NOON.test(text));
  }

  write(): string {
    return this.parts
      .map((part) => (part.isField ? this.field(part) : part.text))
      .join('')
      .trim();
  }

  private field({ text, isMinute }: DatePart): string {
    const { moment, language } = this;
    const [letter, length] = [text.charAt(0).toLowerCase(), text.length];
    if (NOON.test(text)) return (moment.getUTCHours() < 12 ? 'AM' : 'PM').slice(0, length > 3 ? 2 : 1);
    if (isMinute) return wide(moment.getUTCMinutes(), length);
    if (letter === 'y')
      return String(moment.getUTCFullYear())
        .padStart(4, '0')
        .slice(length > 2 ? 0 : 2);
    if (letter === 'm') return length > 2 ? monthOf(length, moment, language) : wide(moment.getUTCMonth() + 1, length);
    if (letter === 'h') return wide(this.hours(), length);
    if (letter === 's') return this.seconds(text);
    if (length > 2) return nameOf(moment, language, { weekday: length === 3 ? 'short' : 'long' });
    return wide(moment.getUTCDate(), length);
  }

  private hours(): number {
    const hours = this.moment.getUTCHours();
    return this.isHalfDay ? hours % 12 || 12 : hours;
  }

  private seconds(text: string): string {
    const [whole = '', fraction = ''] = text.split('.');
    const digits = String(this.moment.getUTCMilliseconds()).padStart(3, '0').slice(0, fraction.length);
    return `${wide(this.moment.getUTCSeconds(), whole.length)}${fraction === '' ? '' : `.${digits}`}`;
  }
}

/** A moment in the form that its code shows. */
export const writeDate = (parts: readonly DatePart[], moment: Date, language: string): string =>
  new DateWriting(parts, moment, language).write();
