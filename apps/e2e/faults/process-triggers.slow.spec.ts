import { triggersOnTwoReplicas } from './process-triggers';

describe('processes that two replicas of the executor start', () => {
  triggersOnTwoReplicas({ documents: 8, rounds: 1 });
});
