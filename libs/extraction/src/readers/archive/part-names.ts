/** The entry that a target names, seen from the part that names it. It only finds entries: it may not leave the archive. */
export const resolvePart = (from: string, target: string): string => {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
};
