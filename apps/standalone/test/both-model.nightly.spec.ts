import { servicesMatchOracle } from './support/both-model';

describe('both services over a hundred histories', () => {
  servicesMatchOracle({ runs: 100, seed: 1 });
});
