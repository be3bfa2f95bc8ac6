import { triggersOnTwoReplicas } from './process-triggers';

describe('processes that two replicas of the executor start, again and again', () => {
  triggersOnTwoReplicas({ documents: 8, rounds: 5 });
});
