import { webPagesSurvive } from './web-pages';

describe('pages of the web as documents', () => {
  webPagesSurvive({ research: 1, fetching: 1 });
});
