import { QUEUE_ROLE } from '@acervo/platform-database';
import { PostgresJobs } from '../src';
import { behavesLikeJobs } from './jobs.behaviour';

behavesLikeJobs('PostgreSQL', (server) => new PostgresJobs(server.connection(QUEUE_ROLE)));
