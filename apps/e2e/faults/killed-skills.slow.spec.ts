import { skillsSurvive } from './killed-skills';

describe('skills by a model whose processes are killed', () => {
  skillsSurvive(3);
});
