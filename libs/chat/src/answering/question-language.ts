import { defaultLanguages, detectLanguage, fold, type LanguageCode, type Languages } from '@acervo/analysis';

/** Words that questions have in one language and not in the others of the product; folded. */
const WORDS: Partial<Record<LanguageCode, string>> = {
  es: `que cual cuales cuando cuanto cuanta cuantos cuantas quien quienes donde como por el los las del y hay se puede
    puedo debo tengo hace falta es son fue esta estan me mi nuestro nuestra segun existe ultimo ultima dime explica
    resume lista busca muestra otra otro otras otros cosa cosas`,
  en: `what which when who whom whose where why how is are was were does did do can could should must may has have
    the of for my our we there any many much long tell show list explain summarize summarise find give about and`,
  de: `was wann wer wie wo warum welche welcher welches wieviel wie ist sind der die das ein eine gibt es kann muss
    darf und fur von wir ich nicht wurde werden`,
  fr: `quel quelle quels quelles quand qui ou comment pourquoi combien est sont le les des du une il elle y a peut
    dois puis nous je avons et pour dans quoi`,
  pt: `qual quais quando quem onde como quanto quanta quantos quantas porque porque o os as do da dos das um uma e ha
    pode posso devo tenho nos esta foi sao nao tem`,
  it: `quale quali quando chi dove come perche quanto quanta quanti quante il lo gli della del dei che cosa e sono puo
    posso devo abbiamo un una nel per`,
  ca: `quin quina quins quines quan qui on com quant quanta quants quantes els dels amb es son hi ha cal puc pot hem
    tenim una al que per a`,
  gl: `cal cales cando quen onde como canto canta cantos cantas o os as do da dos das un unha e hai pode podo debo
    temos foi son non`,
  eu: `zer zein zeintzuk noiz nor nork non nola zenbat zergatik da dira du dute dago daude eta behar dugu dut naiz
    al egin ditu zaio duen`,
};
/** Marks and letters of one language. */
const LETTERS_OF: readonly (readonly [RegExp, LanguageCode, number])[] = [
  [/[¿¡]/u, 'es', 3],
  [/ñ/u, 'es', 1],
  [/[ãõ]/u, 'pt', 3],
  [/ß/u, 'de', 3],
  [/[äü]/u, 'de', 1],
  [/l·l/u, 'ca', 3],
  [/[êœ]/u, 'fr', 1],
];
/** Words of one language by their accents, which folding removes. */
const ACCENTED: Partial<Record<LanguageCode, string>> = {
  es: 'qué cuál cuáles cuándo cuánto cuánta cuántos quién quiénes dónde cómo está según más',
  ca: 'és què això més',
  it: 'è perché può',
  fr: 'où à été',
  pt: 'é está não são há',
  gl: 'é está',
};
const ENDINGS: readonly (readonly [string, LanguageCode, number])[] = [
  ['ción', 'es', 1],
  ['ciones', 'es', 1],
  ['ção', 'pt', 1.5],
  ['ções', 'pt', 1.5],
  ['ció', 'ca', 1],
  ['zione', 'it', 2],
  ['tzea', 'eu', 1],
  ['earen', 'eu', 0.5],
  ['iaren', 'eu', 0.5],
  ['uaren', 'eu', 0.5],
];
/** What stands before an apostrophe. */
const ELIDED: readonly (readonly [string, LanguageCode])[] = [
  ["qu'", 'fr'],
  ["l'", 'fr'],
  ["l'", 'ca'],
  ["d'", 'fr'],
  ["d'", 'ca'],
  ["dell'", 'it'],
  ["all'", 'it'],
  ["l'", 'it'],
];
const WORD = /\p{L}+['’]?/gu;
const SAMPLE = 400;

const byWord = (lists: Partial<Record<LanguageCode, string>>): ReadonlyMap<string, readonly LanguageCode[]> => {
  const found = new Map<string, LanguageCode[]>();
  for (const [code, list = ''] of Object.entries(lists) as [LanguageCode, string | undefined][])
    for (const word of new Set(list.split(/\s+/))) found.set(word, [...(found.get(word) ?? []), code]);
  return found;
};
const CODES_OF = byWord(WORDS);
const CODES_OF_ACCENTED = byWord(ACCENTED);

/** Languages that a word points at, with how strongly: a word of many languages counts less than one of a single one. */
const pointsOf = (word: string): (readonly [LanguageCode, number])[] => {
  const bare = word.replace(/['’]$/, '');
  const [codes, accented] = [CODES_OF.get(fold(bare)) ?? [], CODES_OF_ACCENTED.get(bare) ?? []];
  const elided = ELIDED.filter(([before]) => before === word.replace('’', "'"));
  return [
    ...codes.map((code) => [code, 1 / codes.length] as const),
    ...accented.map((code) => [code, 1 / accented.length] as const),
    ...elided.map(([, code]) => [code, 1 / elided.length] as const),
    ...ENDINGS.filter(([ending]) => bare.endsWith(ending)).map(([, code, points]) => [code, points] as const),
  ];
};

/** Scores languages by the function words and the letters of a question. */
const scoresOf = (question: string, among: Languages): ReadonlyMap<LanguageCode, number> => {
  const sample = question.slice(0, SAMPLE).normalize('NFC').toLowerCase();
  const scores = new Map<LanguageCode, number>(among.map((code) => [code, 0]));
  const letters = LETTERS_OF.filter(([sign]) => sign.test(sample)).map(([, code, points]) => [code, points] as const);
  for (const [code, points] of [...letters, ...[...sample.matchAll(WORD)].flatMap(([word]) => pointsOf(word))]) {
    const before = scores.get(code);
    if (before !== undefined) scores.set(code, before + points);
  }
  return scores;
};

/** The lead that decides by itself. */
const LEAD = 0.5;
/** The statistics of letters say nothing about so few words. */
const FEW_WORDS = 3;
/** From this length on the statistics of letters are reliable. */
const LONG = 120;

/**
 * The language of a question, or of another short text. Words of questions and letters of one language decide; where they
 * do not, the detection of longer texts decides, and else the fallback.
 */
export const questionLanguage = (
  question: string,
  fallback: LanguageCode,
  among: Languages = defaultLanguages,
): LanguageCode => {
  if (question.length >= LONG) return detectLanguage(question, among) ?? fallback;
  const ranked = [...scoresOf(question, among)].toSorted(([, a], [, b]) => b - a);
  const [[first, best] = [fallback, 0], [, next] = [fallback, 0]] = ranked;
  if (best - next >= LEAD) return first;
  const detected = detectLanguage(question, among);
  if (best === 0) return question.trim().split(/\s+/).length > FEW_WORDS ? (detected ?? fallback) : fallback;
  const near = ranked.filter(([, score]) => best - score < LEAD).map(([code]) => code);
  if (near.includes(fallback)) return fallback;
  return detected !== null && near.includes(detected) ? detected : first;
};
