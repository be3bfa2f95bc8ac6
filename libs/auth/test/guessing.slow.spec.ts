import { attemptsAreLimited } from './guessing.behaviour';

attemptsAreLimited({ codes: 100, sessions: 5, passwords: 200 });
