/** What the exit code of `acervo` means; apps/cli/README.md lists them. */
export const exitCodes = {
  done: 0,
  failed: 1,
  usage: 2,
  unauthorized: 3,
  forbidden: 4,
  notFound: 5,
  conflict: 6,
  limited: 7,
  unreachable: 8,
  notConfirmed: 9,
  noOriginal: 10,
} as const;

export type ExitCode = (typeof exitCodes)[keyof typeof exitCodes];
