import { parentPort } from 'node:worker_threads';
import { serveJobs } from '../cpu/job-messages';
import { jobs } from './jobs';

if (parentPort === null) throw new Error('This file runs in a thread.');
serveJobs(parentPort, jobs);
