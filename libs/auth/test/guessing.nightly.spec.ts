import { attemptsAreLimited } from './guessing.behaviour';

attemptsAreLimited({ codes: 500, sessions: 20, passwords: 1_000 });
