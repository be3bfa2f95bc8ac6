import { analyseQuery, defaultLanguages, passageTerms } from '@acervo/analysis';
import type { ChunkEvidence } from './evidence.store';
import { fuse } from './fusion';
import { featuresOf } from './fusion-features';
import { fusionOf, weighted } from './fusion-settings';

const CODES = Array.from({ length: 500 }, (_, at) => `PPR-${9_000 + at}`);
const NEAR_MISSES = 200;

/** A passage about a code, as it is indexed. */
const passage = (code: string): ChunkEvidence => {
  const text = `Inspection of the pump ${code} in the northern station.`;
  const terms = passageTerms({ ordinal: 0, text, context: '', language: 'en' }, { name: `${code}.txt`, title: null });
  return { documentId: code, ordinal: 0, language: 'en', terms };
};

const passages = CODES.map(passage);

/** The first document of a query whose vectors, of an embedder that knows meaning, rank the wanted one last. */
const firstFor = (query: string, wanted: string): string | undefined => {
  const { words } = analyseQuery(query, defaultLanguages);
  const place = CODES.indexOf(wanted);
  const evidence = Array.from({ length: NEAR_MISSES + 1 }, (_, at) => passages[(place + at) % CODES.length]).filter(
    (each) => each !== undefined,
  );
  const shared = new Map(
    evidence.map((each) => [each, words.terms.filter((term) => each.terms.includes(term)).length]),
  );
  const lexical = evidence.toSorted((a, b) => (shared.get(b) ?? 0) - (shared.get(a) ?? 0));
  const vector = evidence.toReversed().map((each, at) => ({ ...each, cosine: 0.9 - at / 1_000 }));
  const features = featuresOf({ words, lexical, vector, meaning: 1, evidence });
  return fuse(weighted({ lexical, vector }, fusionOf(features)))[0]?.documentId;
};

describe('identifiers among near misses', () => {
  it.each([
    ['alone', (code: string) => code],
    ['in a question', (code: string) => `what was found at the inspection of the pump ${code}?`],
  ])('each of 500 identifiers %s is first among 200 near misses', (_, queryOf) => {
    expect(CODES.filter((code) => firstFor(queryOf(code), code) !== code)).toEqual([]);
  });
});
