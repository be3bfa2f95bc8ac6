import { fold } from '@acervo/analysis';
import type { Literal } from './support/literals';

/** What a question asks for, where its words show it: how much, or when. */
export type ExpectedKind = 'number' | 'date';

const NUMBER_WORDS = new Set(
  'cuanto cuanta cuantos cuantas quant quants quanta quantes combien quanto quantos wieviel'.split(' '),
);
const DATE_WORDS = new Set('cuando when quan quando quand wann cando noiz'.split(' '));
const HOW_MUCH = new Set('much many long old far often big high tall deep heavy fast'.split(' '));
const AMOUNTS = new Set(
  `importe porcentaje precio coste cantidad total tarifa plazo edad velocidad temperatura altura peso longitud anchura
   profundidad distancia superficie tamano duracion
   amount percentage price cost rate age speed temperature height weight length width depth distance area size duration`
    .trim()
    .split(/\s+/),
);
const TIMES = new Set('fecha dia hora ano mes date day time year month'.split(' '));
const ASKING = new Set('que cual what which'.split(' '));
const WORD = /\p{L}+/gu;
const SAMPLE = 1_000;
/** Words between `what` and the thing that is asked for: `cuál es el importe`. */
const MOST_BETWEEN = 3;

const asks = (words: readonly string[], things: ReadonlySet<string>): boolean =>
  words.some(
    (word, at) => ASKING.has(word) && words.slice(at + 1, at + 2 + MOST_BETWEEN).some((thing) => things.has(thing)),
  );

/** The kind of thing that a question asks for; null where its words do not show it. */
export const expectedKind = (question: string): ExpectedKind | null => {
  const words = fold(question.slice(0, SAMPLE)).match(WORD) ?? [];
  const isHowMuch = words.some((word, at) => word === 'how' && HOW_MUCH.has(words[at + 1] ?? ''));
  if (isHowMuch || words.some((word) => NUMBER_WORDS.has(word)) || asks(words, AMOUNTS)) return 'number';
  return words.some((word) => DATE_WORDS.has(word)) || asks(words, TIMES) ? 'date' : null;
};

const ANSWERS: Readonly<Record<ExpectedKind, ReadonlySet<Literal['kind']>>> = {
  number: new Set<Literal['kind']>(['number', 'date', 'time', 'identifier']),
  date: new Set<Literal['kind']>(['date', 'time', 'weekday', 'number', 'ordinal']),
};

/** Whether a text has a literal of the expected kind. */
export const hasKind = (literals: readonly Literal[], kind: ExpectedKind | null): boolean =>
  kind === null || literals.some((literal) => ANSWERS[kind].has(literal.kind));
