import { batchesSurvive } from './killed-batches';

describe('a batch whose process is killed again and again', () => {
  batchesSurvive(34);
});
