import { decode, InvalidInput, InvalidMeaning, ListOf, MOST_STATEMENTS, Text } from '@acervo/contracts';
import type { AnswerSchema } from '@acervo/models/chat';

/** Longer than any statement that is kept: a long one is dropped by itself and does not spoil the answer. */
const LONGEST_WRITTEN = 32_000;

/** A statement as a model writes it. Nothing of it is true until its quote stands in the text. */
export class FoundStatement {
  @Text({ max: LONGEST_WRITTEN, description: 'Words of the text, to the letter' }) readonly quote!: string;
  @Text({ max: LONGEST_WRITTEN, nullable: true, description: 'What it is about' }) readonly value!: string | null;
  @Text({ max: LONGEST_WRITTEN, nullable: true, description: 'What the text calls it' }) readonly label!: string | null;
}

/** The answer of a model about one slice of a text. */
export class FoundStatements {
  @ListOf(() => FoundStatement, { max: 200, description: 'Statements in the order of the text' })
  readonly statements!: readonly FoundStatement[];
}

const ofText = { type: 'string' } as const;
const ofTextOrNull = { type: ['string', 'null'] } as const;

/** What providers are asked for. Their strict mode knows few keywords; `readAnswer` checks the bounds. */
export const FOUND_STATEMENTS: AnswerSchema = {
  name: 'statements',
  schema: {
    type: 'object',
    additionalProperties: false,
    required: ['statements'],
    properties: {
      statements: {
        type: 'array',
        description: `At most ${MOST_STATEMENTS}`,
        items: {
          type: 'object',
          additionalProperties: false,
          required: ['quote', 'value', 'label'],
          properties: { quote: ofText, value: ofTextOrNull, label: ofTextOrNull },
        },
      },
    },
  },
};

/** An answer as an object of a class; undefined for one that is no JSON of its schema. */
export const readJson = <T extends object>(type: new () => T, text: string): T | undefined => {
  try {
    return decode(type, JSON.parse(text), { closed: true });
  } catch (error) {
    if (error instanceof SyntaxError || error instanceof InvalidInput || error instanceof InvalidMeaning)
      return undefined;
    throw error;
  }
};

/** The statements of an answer; undefined for one that is no JSON of the schema. */
export const readAnswer = (text: string): readonly FoundStatement[] | undefined =>
  readJson(FoundStatements, text)?.statements.map(({ quote, value, label }) => ({ quote, value, label }));
