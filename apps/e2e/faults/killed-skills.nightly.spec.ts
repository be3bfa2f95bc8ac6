import { skillsSurvive } from './killed-skills';

describe('skills by a model whose processes are killed twenty times', () => {
  skillsSurvive(20);
});
