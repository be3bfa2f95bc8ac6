import { triggersOnTwoReplicas } from './process-triggers';

describe('processes that two replicas of the executor start', () => {
  triggersOnTwoReplicas({ documents: 4, rounds: 1 });
});
