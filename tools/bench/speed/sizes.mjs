// The argument `--chunks` of benches with several sizes.
import { UsageError } from '../../lib/options.mjs';

/** Increasing numbers of chunks. @throws UsageError */
export const sizesFrom = (text) => {
  const sizes = text.split(',').map(Number);
  const rises = sizes.every((size, index) => Number.isInteger(size) && size > (sizes[index - 1] ?? 0));
  if (!rises) throw new UsageError('--chunks takes whole numbers that rise, such as 10000,50000,200000.');
  return sizes;
};
