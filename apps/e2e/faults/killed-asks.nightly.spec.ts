import { asksSurvive, EVERY_SECOND_PART } from './killed-asks';

describe('answers whose processes are killed at every second part of a text', () => {
  asksSurvive(EVERY_SECOND_PART);
});
