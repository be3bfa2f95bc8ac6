import { quotasSurvive } from './killed-quotas';

describe('quotas whose services are killed three times', () => {
  quotasSurvive(3);
});
