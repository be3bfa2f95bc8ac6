import { batchesSurvive } from './killed-batches';

describe('a batch whose process is killed', () => {
  batchesSurvive(1);
});
