import { quotasSurvive } from './killed-quotas';

describe('quotas whose services are killed', () => {
  quotasSurvive(1);
});
