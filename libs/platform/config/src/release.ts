import { join } from 'node:path';

/** The root of the checkout or of the image that this program runs from. */
export const ROOT = join(__dirname, '..', '..', '..', '..');

/**
 * The release that this program belongs to. `npm run release` writes it here and in the root `package.json`. Migrations
 * name the oldest release that can work with them.
 */
export const RELEASE = '0.1.0';

const numbersOf = (release: string): number[] => release.split('.').map(Number);

/** Whether one release precedes another. Both are three numbers, `1.2.0`. */
export const precedes = (release: string, other: string): boolean => {
  const [ours, theirs] = [numbersOf(release), numbersOf(other)];
  const differing = ours.findIndex((number, index) => number !== theirs[index]);
  return differing >= 0 && (ours[differing] ?? 0) < (theirs[differing] ?? 0);
};
