import type { LanguageCode } from '@acervo/analysis';
import type { Token } from './tokens';
import type { WordForms } from './word-forms';

/** Words that build a predicate and state nothing: forms of auxiliary verbs, and titles before names. */
const AUXILIARIES = new Set(
  `may might must shall should could would cannot get gets got let lets having been being one ones every each
   estar estara estaran estaba puede pueden podra podran podria debe deben debera deberan sera seran siendo haber habra tendra
   tiene tienen tener queda quedan quedar quedo quedaron quedara quedaran hay cada cuyo cuya cuyos asi dicho dicha dichos cual don dona sr sra srta mr mrs ms dr dra
   during durante mediante according toward towards within until per via upon among since both either please however therefore
   thus ademas sino partir traves also already still longer ya aun`
    .trim()
    .split(/\s+/),
);

/** A word that carries meaning. It equals another one that shares a key: its stem, a synonym or a beginning. */
export interface Term {
  /** Place of its token. */
  readonly at: number;
  readonly folded: string;
  readonly keys: readonly string[];
}

const BEGINNING = 5;
/** A shorter word shares its beginning with unrelated ones. */
const LEAST_FOR_BEGINNING = 7;

const keysOf = (folded: string, languages: readonly LanguageCode[], forms: WordForms): string[] => {
  const byLanguage = languages.map((language) => forms.tokens(folded, language));
  if (byLanguage.some((stems) => stems.length === 0)) return [];
  const stems = byLanguage.flat();
  const beginning = folded.length >= LEAST_FOR_BEGINNING ? [`${folded.slice(0, BEGINNING)}…`] : [];
  return [...new Set([...stems, ...forms.of(folded).concepts.map((concept) => `#${String(concept)}`), ...beginning])];
};

const isNumber = (text: string): boolean => /\p{N}/u.test(text);

/** The terms of tokens, in order. A stop word of one of the languages is none. */
export const termsOf = (
  tokens: readonly Token[],
  languages: readonly LanguageCode[],
  forms: WordForms,
): readonly Term[] =>
  tokens.flatMap(({ kind, text, folded }, at): Term[] => {
    if (kind !== 'word' || isNumber(text) || AUXILIARIES.has(folded)) return [];
    const keys = keysOf(folded, languages, forms);
    return keys.length === 0 ? [] : [{ at, folded, keys }];
  });

/** The keys of one word, such as the word that a denial denies. */
export const termNamed = (word: string, at: number, forms: WordForms): Term => ({
  ...{ at, folded: word },
  keys: keysOf(word, ['es', 'en'], forms),
});

export const hasTerm = (keys: ReadonlySet<string>, term: Term): boolean => term.keys.some((key) => keys.has(key));
