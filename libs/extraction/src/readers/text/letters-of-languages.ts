/** Letters beyond ASCII of a language, lower case. */
export interface LanguageLetters {
  readonly usual: string;
  /** Letters of few words: they tell less about the language. */
  readonly rare: string;
}

const letters = (usual: string, rare = ''): LanguageLetters => ({ usual, rare });

/** Languages with a code page of their own among those that `codePageOf` distinguishes, by their code of ISO 639-1. */
export const LETTERS: Readonly<Record<string, LanguageLetters>> = {
  es: letters('áéíóúñ', 'ü'),
  ca: letters('àèéíòóúç', 'ïü'),
  gl: letters('áéíóúñ', 'ïü'),
  pt: letters('áãçéêíóõ', 'âàôúü'),
  eu: letters('ñ', 'ü'),
  fr: letters('àçéèê', 'âëîïôûùüœæ'),
  it: letters('àèéìòù'),
  de: letters('äöüß', 'é'),
  en: letters('', 'éèï'),
  da: letters('åæø', 'é'),
  nb: letters('åæø', 'éò'),
  sv: letters('åäö', 'é'),
  fi: letters('äö', 'å'),
  nl: letters('', 'éèëïóü'),
  hu: letters('áéóöőü', 'íúű'),
  ro: letters('ăâîșțşţ'),
  pl: letters('ąćęłńóśźż'),
  cs: letters('áčéěířšůýž', 'ďňóťú'),
  sk: letters('áčéíšýžľ', 'äďĺňóôŕťú'),
  hr: letters('čćđšž'),
  is: letters('', 'áæéíðóöúýþ'),
  tr: letters('çğışöüİ', 'âîû'),
};

const VOWEL = /[aeiouáéíóúàèòãâêôü]/i;

/** What follows a letter in the words of the languages that have it; nothing else is one of their words. */
const FOLLOWING: Readonly<Record<string, (next: string) => boolean>> = {
  ñ: (next) => VOWEL.test(next),
  õ: (next) => /[eéi]/i.test(next),
  û: (next) => !VOWEL.test(next),
};

/** Whether a letter may stand before another character in a word of the languages that have it. */
export const mayPrecede = (letter: string, next: string): boolean => FOLLOWING[letter]?.(next) ?? true;
