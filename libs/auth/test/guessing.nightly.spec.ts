import { guessesAreLimited } from './guessing.behaviour';

guessesAreLimited({ codes: 500, sessions: 20, passwords: 1_000 });
