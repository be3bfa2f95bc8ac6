import { quotasSurvive } from './killed-quotas';

describe('quotas whose services are killed twenty times', () => {
  quotasSurvive(20);
});
