import {
  explainDocuments,
  type ExplainedDocument,
  type ExplainedLeg,
  type ExplainRequest,
  type Explanation,
  verifyCredential,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { AdminCommandFailed } from '@acervo/platform-service';
import { anonymous, Scope } from '@acervo/rbac';
import type { Print } from '../kernel/print';

/** Explains a search with the access rights of the owner of the API key. @throws Unauthorized */
export const explainFor = async (calls: Calls, bearer: string, search: ExplainRequest): Promise<Explanation> => {
  const { claims, token } = await calls.send(verifyCredential, anonymous, { bearer });
  return calls.send(explainDocuments, new Scope(claims, token), search);
};

/** Documents that an explanation prints. */
const SHOWN = 10;

const rank = (number: number | null): string => (number === null ? '-' : String(number)).padStart(5);

const legLine = ({ leg, answered, chunks, weight, k }: ExplainedLeg): string => {
  const name = leg === 'lexical' ? 'words' : 'vectors';
  return answered ? `${name}: weight ${weight.toFixed(2)}, k ${k}, ${chunks} passages` : `${name}: no answer`;
};

const documentLine = ({ rank: place, score, name, chunks }: ExplainedDocument): string => {
  const [best] = chunks;
  return `${rank(place)}  ${score.toFixed(4)} ${rank(best?.lexicalRank ?? null)} ${rank(best?.vectorRank ?? null)}  ${name}`;
};

/** The lines that explain a search. */
export const explanationLines = ({ terms, features = [], legs, documents }: Explanation): string[] => {
  if (legs.length === 0) return ['No document can be found yet.'];
  return [
    `Terms: ${terms}`,
    `Seen: ${features.map(({ name, value }) => `${name} ${value.toFixed(2)}`).join(', ')}`,
    ...legs.map(legLine),
    ' rank   score words  near  document',
    ...documents.slice(0, SHOWN).map(documentLine),
  ];
};

/**
 * Prints how a question is ranked for the owner of a key.
 * @throws AdminCommandFailed without a key
 */
export const printExplanation = async (
  calls: Calls,
  query: string,
  key: string | undefined,
  print: Print,
): Promise<void> => {
  if (key === undefined)
    throw new AdminCommandFailed(
      '--explain shows what the owner of an API key may see, and there is no key. Set ACERVO_KEY; --new-key makes one.',
    );
  const found = await explainFor(calls, key, { query, limit: SHOWN, minSimilarity: 0 });
  explanationLines(found).forEach(print);
};
