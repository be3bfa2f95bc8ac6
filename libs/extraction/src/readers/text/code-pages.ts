import { detectLanguage, knownLanguages, type LanguageCode } from '@acervo/analysis';
import { decode } from 'iconv-lite';

/** Code pages that letter statistics do not tell apart: of DOS and of old Macs. */
const OLD_PAGES = ['cp850', 'cp437', 'macintosh'] as const;

/** Letters beyond ASCII that texts of a language contain, lower case. */
const LETTERS: Readonly<Partial<Record<LanguageCode, string>>> = {
  es: 'áéíóúñü',
  ca: 'àèéíïòóúüç',
  gl: 'áéíóúñüï',
  pt: 'áâãàçéêíóôõú',
  fr: 'àâçéèêëîïôûùüœ',
  it: 'àèéìòù',
  de: 'äöüß',
  en: 'éèï',
  da: 'åæøé',
  nb: 'åæøé',
  sv: 'åäöé',
  fi: 'åäö',
  nl: 'éèëïóü',
  hu: 'áéíóöőúüű',
  ro: 'ăâîșțşţ',
};

const LETTER = /\p{L}/u;
const UPPER = /\p{Lu}/u;
const LOWER = /\p{Ll}/u;
/** Marks that stand between letters: apostrophes, hyphens and the dot of Catalan. */
const JOINING = /[’‘·\u00ad\u00a0–‑]/u;
const BROKEN = /[\u0080-\u009f\ufffd\ue000-\uf8ff]/u;

const SAMPLE = 16_384;
/** Points for a character: that no text contains, a sign inside a word, a capital inside a word, a letter. */
const POINTS = { broken: -4, sign: -3, capital: -2, letter: 1, ofLanguage: 1 } as const;
/** The lead that an old code page needs, as a share of the characters that decide. */
const LEAD = 0.25;

const pointsOf = (character: string, before: string, after: string, letters: string): number => {
  if (BROKEN.test(character)) return POINTS.broken;
  const isInside = LETTER.test(before) && LETTER.test(after);
  if (!LETTER.test(character)) return isInside && !JOINING.test(character) ? POINTS.sign : 0;
  if (!LETTER.test(before) && !LETTER.test(after)) return 0;
  if (UPPER.test(character) && LOWER.test(before)) return POINTS.capital;
  return POINTS.letter + (letters.includes(character.toLowerCase()) ? POINTS.ofLanguage : 0);
};

interface Score {
  readonly points: number;
  /** Characters beyond ASCII. */
  readonly deciding: number;
}

const scoreOf = (text: string, letters: string): Score => {
  let [points, deciding] = [0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const character = text[at] ?? '';
    if (character.charCodeAt(0) < 0x80) continue;
    deciding += 1;
    points += pointsOf(character, text[at - 1] ?? '', text[at + 1] ?? '', letters);
  }
  return { points, deciding };
};

const LATIN: readonly string[] = ['windows-1252', 'ISO-8859-1'];
const EURO = 0xa4;

/** ISO 8859-15 has the euro at the place of a sign that no text contains, and nothing at the places of Windows. */
const withEuro = (bytes: Buffer): boolean =>
  bytes.includes(EURO) && !bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);

const CENTRAL: readonly string[] = ['windows-1250', 'ISO-8859-2'];
/** Letters that only Polish has stand at the same places in both pages of central Europe. */
const POLISH = { bytes: [0xb3, 0xbf], letters: 'ąćęłńóśźż' } as const;
const CZECH_LETTERS = 'áčďéěíňóřšťúůýžľĺŕäô';

const centralPage = (sample: Buffer): string => {
  const letters = POLISH.bytes.some((byte) => sample.includes(byte)) ? POLISH.letters : CZECH_LETTERS;
  const scores = CENTRAL.map((page) => ({ page, ...scoreOf(decode(sample, page), letters) }));
  return scores.reduce((one, other) => (other.points > one.points ? other : one)).page;
};

const [first = 'es', ...others] = knownLanguages;

/**
 * The code page of a text of single bytes: the likeliest by letter statistics, or one of DOS or of old Macs where that
 * one puts signs and capitals into words. The language follows from the words that need no accents.
 */
export const codePageOf = (bytes: Buffer, likeliest: string): string => {
  const sample = bytes.subarray(0, SAMPLE);
  const language = detectLanguage(sample.toString('latin1').replace(/[\u0080-\u00ff]/g, ' '), [first, ...others]);
  const letters = (language === null ? undefined : LETTERS[language]) ?? '';
  const usual = scoreOf(decode(sample, likeliest), letters);
  const rivals = OLD_PAGES.map((page) => ({ page, ...scoreOf(decode(sample, page), letters) }));
  const best = rivals.reduce((one, other) => (other.points > one.points ? other : one));
  if (best.points > Math.max(0, usual.points) + best.deciding * LEAD) return best.page;
  if (CENTRAL.includes(likeliest)) return centralPage(sample);
  return LATIN.includes(likeliest) && withEuro(sample) ? 'iso-8859-15' : likeliest;
};
