import { servicesMatchOracle } from './support/both-model';

describe('both services', () => {
  // Six histories in which each kind of step has an effect, and documents end in each state; few seeds have them.
  servicesMatchOracle({ runs: 6, seed: 1_194 });
});
