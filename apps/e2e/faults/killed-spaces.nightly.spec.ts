import { spacesSurvive } from './killed-spaces';

/** In the slices of a refresh, before and after its flip. */
const DEATHS = ['space.middle', 'space.middle:3', 'space.middle:5', 'space.before-flip', 'space.flipped'];
/** A set that replaces another one leaves members to delete. */
const WITH_PURGE = [...DEATHS, 'space.purge'];

describe('a large set of documents whose processes are killed 24 times', () => {
  spacesSurvive({
    ...{ create: DEATHS, refresh: WITH_PURGE, compose: DEATHS, refreshComposed: WITH_PURGE },
    database: [0, 100],
  });
});
