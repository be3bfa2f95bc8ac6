import { call } from '../calls';
import { StoresReport } from '../documents/inventory';
import { Empty } from '../empty';
import { operators } from '../services';

const forOperators = { owner: 'ingestion', scope: 'work', callers: [...operators, 'operations'] } as const;

/** Compares the stores of the group now and repairs differences. Answers the result of the last comparison. */
export const compareStores = call({
  ...forOperators,
  code: 'stores.compare',
  effect: 'write',
  input: Empty,
  output: StoresReport,
});

/** The result of the last comparison of the stores of the group. */
export const reportStores = call({
  ...forOperators,
  code: 'stores.report',
  effect: 'read',
  input: Empty,
  output: StoresReport,
});
