export const print = (line) => process.stdout.write(`${line}\n`);

export const median = (values) => {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
};

export const timed = async (work) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

export const verdict = (reached) => (reached ? 'reached' : 'MISSED');
