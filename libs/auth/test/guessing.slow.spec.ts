import { guessesAreLimited } from './guessing.behaviour';

guessesAreLimited({ codes: 100, sessions: 5, passwords: 200 });
