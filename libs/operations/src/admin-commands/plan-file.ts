import { readFile } from 'node:fs/promises';
import { decode, InvalidInput, Plan } from '@acervo/contracts';
import { AdminCommandFailed } from '@acervo/platform-service';

const SHAPE = 'a list of plans with code, start_day and quotas (feature, included, on_limit)';

const planIn = (raw: unknown): Plan => decode(Plan, raw, { closed: true });

/** The first thing that is wrong with a plan beside its shape. */
const problemOf = ({ code, quotas }: Plan): string | undefined => {
  const features = quotas.map(({ feature }) => feature);
  if (new Set(features).size < features.length) return `${code} has two quotas of one feature`;
  const corpus = quotas.find(({ feature }) => feature === 'ACTIVE_CORPUS');
  if (corpus !== undefined && corpus.included !== null && corpus.onLimit === 'BLOCK')
    return `ACTIVE_CORPUS of ${code} is counted and blocks nothing in this version; give it on_limit ALLOW`;
  return undefined;
};

const parsed = (content: string): unknown[] => {
  const raw: unknown = JSON.parse(content);
  if (!Array.isArray(raw)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  return raw;
};

/** The plans of a JSON file. @throws AdminCommandFailed for a file that cannot be read, or that has another shape */
export const plansIn = async (file: string): Promise<readonly Plan[]> => {
  let plans: readonly Plan[];
  try {
    plans = parsed(await readFile(file, 'utf8')).map(planIn);
  } catch (error) {
    const found = error instanceof InvalidInput ? JSON.stringify(error.details) : 'it is no JSON file';
    throw new AdminCommandFailed(`No plan of ${file} was added: ${found}. It needs ${SHAPE}; see docs/operations.md.`);
  }
  const problem = plans.map(problemOf).find((each) => each !== undefined);
  if (problem !== undefined) throw new AdminCommandFailed(`No plan of ${file} was added: ${problem}.`);
  return plans;
};
