import { classificationsSurvive } from './killed-classification';

describe('a classification whose process is killed', () => {
  classificationsSurvive(1);
});
