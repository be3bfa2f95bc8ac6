import { call } from '../calls';
import { StoresReport } from '../documents/holdings';
import { operators } from '../services';
import { Empty } from './folders';

const forOperators = { owner: 'ingestion', scope: 'work', callers: [...operators, 'operations'] } as const;

/** Has the stores of the group compared now, and what differs put right. Answers how the last comparison ended. */
export const compareStores = call({
  ...forOperators,
  code: 'stores.compare',
  effect: 'write',
  input: Empty,
  output: StoresReport,
});

/** How the last comparison of the stores of the group ended. */
export const reportStores = call({
  ...forOperators,
  code: 'stores.report',
  effect: 'read',
  input: Empty,
  output: StoresReport,
});
