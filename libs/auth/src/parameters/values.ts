import type { ParameterCategory, ParameterType } from '@acervo/public-mapping';

/** A definition of a parameter. Groups set values; they add no parameters. */
export interface ParameterDefinition {
  readonly code: string;
  readonly name: string;
  readonly description: string;
  readonly category: ParameterCategory;
  readonly type: ParameterType;
  /** No answer shows the value once it is set; true for every secret. */
  readonly isPrivate?: boolean;
  readonly default?: string;
  readonly min?: number;
  readonly max?: number;
  readonly choices?: readonly string[];
}

type Limits = Pick<ParameterDefinition, 'type' | 'min' | 'max' | 'choices'>;

export const isPrivate = ({ type, isPrivate: declaredPrivate = false }: ParameterDefinition): boolean =>
  declaredPrivate || type === 'SECRETO';

const LONGEST = 4_000;

const number = (text: string, shape: RegExp, { min = -Infinity, max = Infinity }: Limits): string | null => {
  if (!shape.test(text)) return null;
  // Adding zero turns -0 into 0.
  const value = Number(text) + 0;
  return value >= min && value <= max ? String(value) : null;
};

const date = (text: string): string | null => {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return null;
  const parsed = new Date(`${text}T00:00:00Z`);
  return !Number.isNaN(parsed.getTime()) && parsed.toISOString().startsWith(text) ? text : null;
};

const written = (text: string): string | null => (text.trim() !== '' && text.length <= LONGEST ? text : null);

/** How each type reads a text: its canonical form, or null for a text that is not of the type. */
const readers: Readonly<Record<ParameterType, (text: string, limits: Limits) => string | null>> = {
  TEXTO: written,
  ENTERO: (text, limits) => number(text, /^-?\d{1,15}$/, limits),
  DECIMAL: (text, limits) => number(text, /^-?\d{1,12}(?:\.\d{1,6})?$/, limits),
  LOGICO: (text) => (text === 'true' || text === 'false' ? text : null),
  FECHA: date,
  OPCION: (text, { choices = [] }) => (choices.includes(text) ? text : null),
  SECRETO: written,
};

/** The value of a parameter in its canonical form, or null for a text that is not of its type. */
export const readValue = (definition: Limits, text: string): string | null =>
  readers[definition.type](text, definition);
