import { lost, of, type Outcome, type Row, type PreviewCase } from './evidence';
import { categoriesOf } from './type-rows';

/** Rows that named one of the things that are gone, of documents that exist; each document once. */
const documentsWithout = ({ before }: Outcome, rows: readonly Row[]): number => {
  const live = new Set(
    before['ingestion.document'].filter(of('deleted_at', null)).map(({ document_id }) => document_id),
  );
  return new Set(rows.map(({ document_id }) => document_id).filter((id) => live.has(id))).size;
};

/** The criteria of no space name a type or feature of the cases. */
const NO_SPACES = { spaces: 0 };

export const typeDeletion: PreviewCase = {
  // The first one twice: what is gone has no preview.
  inputs: (_state, { types }) => [...types, ...types.slice(0, 1)].map((code) => ({ document_type_code: code })),
  done: (outcome) => {
    const { input, details, status, before } = outcome;
    const gone = lost(outcome, 'ingestion.document_type');
    if (status === 409)
      return { ...details, ...input, ...NO_SPACES, reason: gone === 0 ? undefined : 'and it is gone' };
    const classified = before['ingestion.document_class'].filter(of('type_code', input['document_type_code']));
    return {
      ...{ ...input, ...NO_SPACES, children: 1 - gone, categories: lost(outcome, 'ingestion.feature_category') },
      ...{ features: lost(outcome, 'ingestion.feature'), examples: lost(outcome, 'ingestion.type_example') },
      documents: documentsWithout(outcome, classified),
    };
  },
};

const carriers = (outcome: Outcome, category: unknown, feature?: unknown): number =>
  documentsWithout(
    outcome,
    outcome.before['ingestion.document_feature']
      .filter(of('category_code', category))
      .filter((row) => feature === undefined || row['code'] === feature),
  );

export const categoryRemoval: PreviewCase = {
  // Every second category: features of the others are removed one by one.
  inputs: (state, names) =>
    categoriesOf(state, names).flatMap(({ code }, index) => (index % 2 === 0 ? [{ category_code: code }] : [])),
  done: (outcome) => ({
    ...{ ...outcome.input, ...NO_SPACES, features: lost(outcome, 'ingestion.feature') },
    documents:
      lost(outcome, 'ingestion.feature_category') === 1 ? carriers(outcome, outcome.input['category_code']) : -1,
  }),
};

export const featureRemoval: PreviewCase = {
  inputs: (state, names) =>
    categoriesOf(state, names).flatMap(({ code, features }, index) =>
      index % 2 === 0 ? [] : features.map((feature) => ({ category_code: code, feature_code: feature })),
    ),
  done: (outcome) => {
    const { category_code: category, feature_code: feature } = outcome.input;
    const gone = lost(outcome, 'ingestion.feature') === 1;
    return { ...outcome.input, ...NO_SPACES, documents: gone ? carriers(outcome, category, feature) : -1 };
  },
};
