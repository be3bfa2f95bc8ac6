import { createHash } from 'node:crypto';
import type { RootFolder } from './root-folder';

/** Begins the path of a root whose documents are pages of the web. No folder has such a path: those are absolute. */
const WEB = 'web:';

/** Whether the documents of a root are pages of the web. */
export const isWebRoot = ({ path }: { readonly path: string }): boolean => path.startsWith(WEB);

/** A condition on a location `alias`: its root is a folder. */
export const isFolderSql = (alias: string): string => `not starts_with(${alias}.root_path, '${WEB}')`;

/** The root of a web location. The same start pages and topic are the same root, in whatever order. */
export const webRoot = (name: string, startUrls: readonly string[], topic: string): RootFolder => {
  const subject = JSON.stringify([topic, [...startUrls].sort()]);
  return { path: `${WEB}${createHash('sha256').update(subject).digest('hex').slice(0, 32)}`, name, inode: 'web' };
};
