import { asksSurvive, EACH_PHASE } from './killed-asks';

describe('answers whose processes are killed', () => {
  asksSurvive(EACH_PHASE);
});
