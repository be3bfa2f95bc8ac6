import { webRunsSurvive } from './killed-web-runs';

describe('a run of a web location whose process is killed', () => {
  webRunsSurvive(1);
});
