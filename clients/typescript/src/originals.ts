import type { components } from './generated/schema';

/** Where the original of a document is, as documents of answers say it in `fs`. */
export type FileHints = components['schemas']['FileHints'];

/** How an original is opened. */
export type Original =
  /** Open this address. */
  | { readonly kind: 'url'; readonly url: string }
  /** Open this file of the machine. */
  | { readonly kind: 'file'; readonly path: string }
  /** It stays with its provider, at this address where one is known. */
  | { readonly kind: 'cloud'; readonly url: string | null }
  /** The machine has no root for it: set this variable to the folder; null where none is named. */
  | { readonly kind: 'unknown'; readonly variable: string | null };

type Environment = Readonly<Record<string, string | undefined>>;

const environmentHere = (): Environment => (typeof process === 'undefined' ? {} : process.env);

/** Joins a root of this machine and a relative path; null where the path would leave the root. */
const within = (root: string, relative: string): string | null => {
  const steps = relative.split(/[\\/]/).filter((step) => step !== '' && step !== '.');
  if (steps.includes('..')) return null;
  const separator = /^[A-Za-z]:\\|^\\\\/.test(root) ? '\\' : '/';
  return [root.replace(/[\\/]+$/, ''), ...steps].join(separator);
};

/** Resolves an original by the five rules of the contract, in their order; it never guesses a root. */
export const originalOf = (fs: FileHints, environment: Environment = environmentHere()): Original => {
  const source = 'source_url' in fs && typeof fs.source_url === 'string' ? fs.source_url : null;
  if (fs.is_cloud_only) return { kind: 'cloud', url: source };
  if (fs.is_public_url || fs.origin === 'PUBLIC') return { kind: 'url', url: fs.path };
  if (fs.is_absolute) return { kind: 'file', path: fs.path };
  const root = fs.home_var === null || fs.home_var === '' ? undefined : environment[fs.home_var];
  const path = root === undefined || root === '' ? null : within(root, fs.relative_path);
  return path === null ? { kind: 'unknown', variable: fs.home_var || null } : { kind: 'file', path };
};
