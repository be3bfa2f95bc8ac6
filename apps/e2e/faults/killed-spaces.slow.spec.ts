import { spacesSurvive } from './killed-spaces';

describe('a large set of documents whose processes are killed', () => {
  // Each place, and each change, at least once. A chain ends behind its flip: its next life has no work of its own.
  spacesSurvive({
    create: ['space.middle:3', 'space.flipped'],
    refresh: ['space.before-flip', 'space.purge'],
    compose: ['space.flipped'],
    refreshComposed: ['space.before-flip'],
    database: [100],
  });
});
