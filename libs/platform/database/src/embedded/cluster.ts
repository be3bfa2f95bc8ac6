import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Major version of the embedded PostgreSQL: it opens data files of this version only. */
export const ENGINE_MAJOR = 18;

/** The data files of the engine, in the directory of an embedded database. */
export const clusterOf = (directory: string): string => join(directory, 'cluster');

/** Major version of the engine that made the data files in a directory; undefined where there are none. */
export const engineMajorOf = (directory: string): number | undefined => {
  const file = join(clusterOf(directory), 'PG_VERSION');
  return existsSync(file) ? Number(readFileSync(file, 'utf8').trim()) : undefined;
};
