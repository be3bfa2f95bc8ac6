/** The entry of a target, relative to the part that names it. It only finds entries and never leaves the archive. */
export const resolvePart = (from: string, target: string): string => {
  const path = target.startsWith('/') ? [] : from.split('/').slice(0, -1);
  for (const step of target.split('/')) {
    if (step === '..') path.pop();
    else if (step !== '.' && step !== '') path.push(step);
  }
  return path.join('/');
};
