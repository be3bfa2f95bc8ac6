import { decode, InvalidInput, Plan } from '@acervo/contracts';
import { AdminCommandFailed, readJsonFile } from '@acervo/platform-service';

const SHAPE = 'a list of plans with code, start_day and quotas (feature, included, on_limit)';

const parsed = (raw: unknown): readonly Plan[] => {
  if (!Array.isArray(raw)) throw new InvalidInput({ missing: [], invalid: [], unknown: 0 });
  return raw.map((each: unknown) => decode(Plan, each, { closed: true }));
};

/** The first thing that is wrong with a plan beside its shape. */
const problemOf = ({ code, quotas }: Plan): string | undefined => {
  const features = quotas.map(({ feature }) => feature);
  return new Set(features).size < features.length ? `${code} has two quotas of one feature` : undefined;
};

/** The plans of a JSON file. @throws AdminCommandFailed for a file that cannot be read, or that has another shape */
export const plansIn = async (file: string): Promise<readonly Plan[]> => {
  const outcome = `No plan of ${file} was added`;
  const plans = await readJsonFile(file, parsed, { outcome, shape: SHAPE });
  const problem = plans.map(problemOf).find((each) => each !== undefined);
  if (problem !== undefined) throw new AdminCommandFailed(`${outcome}: ${problem}.`);
  return plans;
};
