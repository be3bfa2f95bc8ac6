/** What a number counts. Numbers of one dimension are compared after multiplication by the factor. */
export interface Unit {
  readonly dimension: string;
  readonly factor: number;
}

const MINUTE = 60;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

const TABLE: readonly (readonly [dimension: string, factor: number, words: string])[] = [
  ['time', 1, 'segundo segundos second seconds sec'],
  ['time', MINUTE, 'minuto minutos minute minutes min mins'],
  ['time', HOUR, 'hora horas hour hours h hs hrs'],
  ['time', DAY, 'dia dias day days'],
  ['time', 7 * DAY, 'semana semanas week weeks'],
  ['months', 1, 'mes meses month months mensualidad mensualidades'],
  ['months', 3, 'trimestre trimestres quarter quarters'],
  ['months', 6, 'semestre semestres'],
  ['months', 12, 'ano anos year years anualidad anualidades'],
  ['percent', 1, '%'],
  ['per mille', 1, '‰'],
  ['EUR', 1, '€ euro euros eur'],
  ['EUR', 0.01, 'centimo centimos'],
  ['USD', 1, '$ dollar dollars dolar dolares usd'],
  ['USD', 0.01, 'cent cents centavo centavos'],
  ['GBP', 1, '£ pound pounds libra libras gbp'],
  ['GBP', 0.01, 'pence penny'],
  ['JPY', 1, '¥ yen yenes jpy'],
  ['CHF', 1, 'chf'],
  ['length', 1, 'm metro metros metre metres meter meters'],
  ['length', 1_000, 'km kilometro kilometros kilometre kilometres kilometer kilometers'],
  ['length', 0.01, 'cm centimetro centimetros centimetre centimetres'],
  ['length', 0.001, 'mm milimetro milimetros millimetre millimetres'],
  ['miles', 1, 'mile miles milla millas'],
  ['mass', 1, 'kg kilo kilos kilogramo kilogramos kilogram kilograms'],
  ['mass', 0.001, 'g gramo gramos gram grams'],
  ['mass', 1_000, 't tonelada toneladas tonne tonnes ton tons'],
  ['volume', 1, 'l litro litros litre litres liter liters'],
  ['volume', 0.001, 'ml mililitro mililitros millilitre millilitres'],
  ['volume', 1_000, 'm3'],
  ['area', 1, 'm2'],
  ['area', 10_000, 'ha hectarea hectareas hectare hectares'],
  ['acres', 1, 'acre acres'],
  ['power', 1, 'kw kilovatio kilovatios kilowatt kilowatts'],
  ['power', 1_000, 'mw megavatio megavatios megawatt megawatts'],
  ['power', 0.001, 'w vatio vatios watt watts'],
  ['energy', 1, 'kwh'],
  ['energy', 1_000, 'mwh'],
  ['data', 1, 'gb gigabyte gigabytes'],
  ['data', 1_000, 'tb terabyte terabytes'],
  ['data', 0.001, 'mb megabyte megabytes'],
  ['pressure', 1, 'bar bares bars'],
  ['temperature', 1, 'grado grados degree degrees'],
  ['voltage', 1, 'v voltio voltios volt volts'],
  ['points', 1, 'punto puntos point points'],
];

const UNITS: ReadonlyMap<string, Unit> = new Map(
  TABLE.flatMap(([dimension, factor, words]) => words.split(' ').map((word) => [word, { dimension, factor }] as const)),
);
/** Units of two words. */
const PAIRS: ReadonlyMap<string, Unit> = new Map([
  ['por ciento', { dimension: 'percent', factor: 1 }],
  ['per cent', { dimension: 'percent', factor: 1 }],
  ['por mil', { dimension: 'per mille', factor: 1 }],
  ['dias laborables', { dimension: 'working days', factor: 1 }],
  ['dias habiles', { dimension: 'working days', factor: 1 }],
  ['dia laborable', { dimension: 'working days', factor: 1 }],
  ['dia habil', { dimension: 'working days', factor: 1 }],
  ['working days', { dimension: 'working days', factor: 1 }],
  ['business days', { dimension: 'working days', factor: 1 }],
  ['working day', { dimension: 'working days', factor: 1 }],
  ['business day', { dimension: 'working days', factor: 1 }],
]);
const CURRENCIES = new Set(['EUR', 'USD', 'GBP', 'JPY', 'CHF']);
const PERCENT = new Set(['percent', 'pc']);

export interface FoundUnit {
  readonly unit: Unit;
  /** How many words it takes. */
  readonly length: number;
}

/** The unit that begins at a place; undefined where a word there is none. */
export const unitAt = (words: readonly string[], at: number): FoundUnit | undefined => {
  const [first = '', second = ''] = [words[at], words[at + 1]];
  const pair = PAIRS.get(`${first} ${second}`);
  if (pair !== undefined) return { unit: pair, length: 2 };
  if (PERCENT.has(first)) return { unit: { dimension: 'percent', factor: 1 }, length: 1 };
  const unit = UNITS.get(first);
  return unit === undefined ? undefined : { unit, length: 1 };
};

/** A sign or a code of a currency, which may stand before its amount. */
export const currencyOf = (word: string): Unit | undefined => {
  const unit = UNITS.get(word);
  return unit !== undefined && CURRENCIES.has(unit.dimension) && unit.factor === 1 ? unit : undefined;
};
