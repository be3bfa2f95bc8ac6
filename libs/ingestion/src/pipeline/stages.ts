import type { Stage } from '@acervo/platform-queue';

const stage = (name: string, leaseSeconds: number): Stage => ({ name, batch: 16, leaseSeconds, attempts: 6 });

/** The steps of a document on its way to the indexes, in order. */
export const ACQUIRE = stage('acquire', 120);
export const EXTRACT = stage('extract', 180);
export const SUMMARISE = stage('summarise', 180);
export const CHUNK = stage('chunk', 180);
export const EMBED = stage('embed', 600);
export const HAND_OVER = stage('hand-over', 60);
