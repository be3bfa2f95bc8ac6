import { decodeAs } from './text-encoding';

/** A calendar or a card begins so; its long lines continue after a line end and a space. */
const BEGINNING = /^\ufeff?\s*BEGIN:(?:VCALENDAR|VCARD)\b/i;
const FOLDED = /\r?\n[ \t]/g;
/** In cards of version 2.1 a line in quoted-printable continues after `=`. */
const SOFT_END = /=\r?\n/g;
const QUOTED = /;ENCODING=QUOTED-PRINTABLE/i;
const CHARSET = /;CHARSET=([A-Za-z0-9._:-]{1,40})/i;
const BYTE = /=([0-9A-F]{2})/gi;
const ESCAPED = /\\([\\;,nN])/g;

export const isCard = (text: string): boolean => BEGINNING.test(text);

const fromQuoted = (value: string, charset: string): string => {
  const bytes = Buffer.from(
    value.replace(BYTE, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
    'latin1',
  );
  return decodeAs(bytes, charset) ?? value;
};

const readable = (line: string): string => {
  const colon = line.indexOf(':');
  const name = line.slice(0, colon);
  if (colon < 0 || !QUOTED.test(name)) return line;
  const charset = CHARSET.exec(name)?.[1] ?? 'utf-8';
  return `${name.replace(QUOTED, '').replace(CHARSET, '')}:${fromQuoted(line.slice(colon + 1), charset)}`;
};

/** The lines of a calendar or a card as programs show them: unfolded, decoded, without escapes. */
export const cardText = (text: string): string =>
  (QUOTED.test(text) ? text.replace(SOFT_END, '') : text)
    .replace(FOLDED, '')
    .split(/\r?\n/)
    .map(readable)
    .join('\n')
    .replace(ESCAPED, (_whole, character: string) => (character.toLowerCase() === 'n' ? ' ' : character));
