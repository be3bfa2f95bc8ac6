/** Entries that are never looked at: hidden ones, dependencies of programs, and what editors leave while they write. */
export const isIgnoredName = (name: string): boolean =>
  name.startsWith('.') || name === 'node_modules' || name.startsWith('~$') || name.toLowerCase().endsWith('.tmp');
