import { createHash } from 'node:crypto';
import { ListOf, Text } from '@acervo/contracts';
import type { PromptLayer } from '@acervo/models/chat';
import { type FoundStatement, readJson } from '../skills/model/found-statements';
import type { AnswerForm } from '../skills/model/model-reading';
import type { DocumentType, Feature, ValueKind } from '../taxonomy/taxonomy';
import { CHOICE_LAYER, FEATURES_LAYER } from './question-prompts';

/** A feature that a model looks for, by its name in the question. */
export interface AskedFeature {
  readonly name: string;
  readonly categoryCode: string;
  readonly code: string;
  /** Null for one that is there or not. */
  readonly valueKind: ValueKind | null;
}

/** What a model is asked about a document. */
export interface Question {
  /** The form of the answer, and what the group describes: layers of the prompt. */
  readonly layers: { readonly form: PromptLayer; readonly described: PromptLayer };
  readonly form: AnswerForm;
  /** Parts of the text that it is asked of; all of them where it is absent. */
  readonly mostSlices?: number;
  /** The features that are looked for; null where the type is chosen. */
  readonly features: readonly AskedFeature[] | null;
}

const LONGEST_WRITTEN = 32_000;
/** Characters of each text that describes a candidate: all candidates fit into one prompt. */
const MOST_OF_TYPE = 300;
/** Features of one question, and characters of their descriptions. */
const MOST_FEATURES = 40;
const MOST_DESCRIBED = 16_000;

class ChosenType {
  @Text({ max: LONGEST_WRITTEN, nullable: true, description: 'One of the types; null where none fits' })
  readonly type!: string | null;
  @Text({ max: LONGEST_WRITTEN, description: 'Words of the text, to the letter' }) readonly quote!: string;
}

class NamedFeature {
  @Text({ max: LONGEST_WRITTEN, description: 'One of the features' }) readonly feature!: string;
  @Text({ max: LONGEST_WRITTEN, description: 'Words of the text, to the letter' }) readonly quote!: string;
  @Text({ max: LONGEST_WRITTEN, nullable: true, description: 'Words of the quote' }) readonly value!: string | null;
}

class NamedFeatures {
  @ListOf(() => NamedFeature, { max: 200, description: 'Features that the text states' })
  readonly features!: readonly NamedFeature[];
}

const closed = (properties: Readonly<Record<string, object>>): Readonly<Record<string, unknown>> => ({
  ...{ type: 'object', additionalProperties: false, required: Object.keys(properties), properties },
});

/** A closed choice: an answer with another type has another form than requested. */
const choiceForm = (codes: readonly string[]): AnswerForm => ({
  schema: {
    name: 'type',
    schema: closed({ type: { type: ['string', 'null'], enum: [...codes, null] }, quote: { type: 'string' } }),
  },
  read: (text) => {
    const { type, quote } = readJson(ChosenType, text) ?? {};
    if (type === undefined || quote === undefined) return undefined;
    if (type === null) return [];
    return codes.includes(type) ? [{ quote, value: type, label: null }] : undefined;
  },
});

const featuresForm = (names: readonly string[]): AnswerForm => ({
  schema: {
    name: 'features',
    schema: closed({
      features: {
        type: 'array',
        items: closed({
          feature: { type: 'string', enum: names },
          quote: { type: 'string' },
          value: { type: ['string', 'null'] },
        }),
      },
    }),
  },
  read: (text) => {
    const found = readJson(NamedFeatures, text)?.features;
    if (found?.every(({ feature }) => names.includes(feature)) !== true) return undefined;
    return found.map(({ feature, quote, value }): FoundStatement => ({ quote, value, label: feature }));
  },
});

/** What a group describes: its own layer, whose version is its text. */
const described = (code: string, lines: readonly object[]): PromptLayer => {
  const text = ['The list:', ...lines.map((line) => JSON.stringify(line))].join('\n');
  const version = createHash('sha256').update(text, 'utf8').digest('hex').slice(0, 12);
  return { kind: 'SKILL', code, version, text };
};

const shortened = (text: string): string | undefined => text.slice(0, MOST_OF_TYPE).toWellFormed().trim() || undefined;

/** Which of some types a document is; only its beginning is read. */
export const choiceQuestion = (types: readonly DocumentType[]): Question => {
  const lines = types.map(({ code: type, name, description, boundary }) => ({
    ...{ type, name: shortened(name), description: shortened(description) },
    ...{ belongs: shortened(boundary.includes), doesNotBelong: shortened(boundary.excludes) },
  }));
  return {
    layers: { form: CHOICE_LAYER, described: described('DOCUMENT-TYPES', lines) },
    form: choiceForm(types.map(({ code }) => code)),
    ...{ mostSlices: 1, features: null },
  };
};

/** A feature with the kind of its value. */
export interface DescribedFeature extends Pick<Feature, 'categoryCode' | 'code' | 'name' | 'prompt'> {
  readonly valueKind: ValueKind | null;
}

/** Which of some features a text states; those beyond the bounds of one question are left out. */
export const featuresQuestion = (features: readonly DescribedFeature[]): Question => {
  const lines = features.slice(0, MOST_FEATURES).map(({ categoryCode, code, name, prompt, valueKind }) => ({
    // No code contains a comma.
    feature: `${categoryCode},${code}`,
    ...{ name, asked: prompt, value: valueKind ?? 'none' },
  }));
  let length = 0;
  const askedLines = lines.filter(
    (line, place) => (length += JSON.stringify(line).length) <= MOST_DESCRIBED || place === 0,
  );
  const asked = features
    .slice(0, askedLines.length)
    .map(({ categoryCode, code, valueKind }) => ({ name: `${categoryCode},${code}`, categoryCode, code, valueKind }));
  return {
    layers: { form: FEATURES_LAYER, described: described('FEATURES', askedLines) },
    form: featuresForm(asked.map(({ name }) => name)),
    features: asked,
  };
};
