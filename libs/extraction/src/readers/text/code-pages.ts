import { detectLanguage, knownLanguages } from '@acervo/analysis';
import { decode } from 'iconv-lite';
import { type Evidence, evidenceIn, isLatin } from './letter-evidence';
import { LETTERS } from './letters-of-languages';

/** The usual code page of western Europe; any other one needs evidence. */
const USUAL = 'windows-1252';
/** Code pages of the Latin script, the more frequent ones first: of Windows, of DOS, of old Macs, of Unix. */
const PAGES = `${USUAL} cp850 cp437 macintosh windows-1250 iso-8859-2 windows-1254 cp852 cp857`.split(' ');

/** Code pages of other scripts, whose letters stand among themselves. */
const OTHER_SCRIPTS = ['windows-1251', 'koi8-r', 'cp866', 'windows-1253'];

const SAMPLE = 16_384;
/** Points of a letter that the language has. */
const POINTS = { usual: 2, rare: 1.5, other: 0 } as const;
/** The lead that any other page needs over the usual one, as a share of the points that are possible. */
const LEAD = 0.1;
/** The language that the words without accents show counts so much more. */
const OWN_LANGUAGE = 1.25;

const languages = Object.entries(LETTERS);

const pointsIn = ({ points, letters }: Evidence, language: string | null): number => {
  const explained = languages.map(([code, { usual, rare }]) => {
    let sum = 0;
    for (const [letter, count] of letters) {
      const worth = usual.includes(letter) ? POINTS.usual : rare.includes(letter) ? POINTS.rare : POINTS.other;
      sum += worth * count;
    }
    return code === language ? sum * OWN_LANGUAGE : sum;
  });
  return points + Math.max(...explained);
};

const pointsOfScript = ({ points, letters }: Evidence): number => {
  let sum = points;
  for (const [letter, count] of letters) if (!isLatin(letter)) sum += POINTS.usual * count;
  return sum;
};

const EURO = 0xa4;

/** ISO 8859-15 has the euro at the place of a sign that no text contains, and nothing at the places of Windows. */
const withEuro = (bytes: Buffer): boolean =>
  bytes.includes(EURO) && !bytes.some((byte) => byte >= 0x80 && byte <= 0x9f);

const [first = 'es', ...others] = knownLanguages;

interface Ranked {
  readonly page: string;
  readonly points: number;
}

const best = (ranked: readonly Ranked[], start: Ranked): Ranked =>
  ranked.reduce((one, other) => (other.points > one.points ? other : one), start);

/**
 * The code page of a text of single bytes: the one that makes words of its bytes, whose letters one language has. The
 * words without accents show the language where it is one of those that are analysed.
 * @param guess the encoding by statistics of letters, which tell other scripts apart; undefined where they are undecided
 */
export const codePageOf = (bytes: Buffer, guess: string | undefined): string => {
  const sample = bytes.subarray(0, SAMPLE);
  const language = detectLanguage(sample.toString('latin1').replace(/[\u0080-\u00ff]/g, ' '), [first, ...others]);
  const ranked = PAGES.map((page) => ({ page, points: pointsIn(evidenceIn(decode(sample, page)), language) }));
  const lead = sample.filter((byte) => byte >= 0x80).length * POINTS.usual * LEAD;
  const [usual = { page: USUAL, points: 0 }] = ranked;
  const latin = best(ranked, { page: USUAL, points: Math.max(0, usual.points + lead) });
  const scripts = [...(guess === undefined ? [] : [guess]), ...OTHER_SCRIPTS];
  const { page } = best(
    scripts.map((script) => ({ page: script, points: pointsOfScript(evidenceIn(decode(sample, script))) })),
    latin,
  );
  return page === USUAL && withEuro(sample) ? 'iso-8859-15' : page;
};
