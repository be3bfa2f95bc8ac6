import { classificationsSurvive } from './killed-classification';

describe('a classification whose process is killed again and again', () => {
  classificationsSurvive(34);
});
