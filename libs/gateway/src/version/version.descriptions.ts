import type { RouteDescription } from '@acervo/platform-http';

export const showsVersion: RouteDescription = {
  summary: 'Show the version that runs',
  description:
    'Version and commit of the running program, without a credential. The commit is null in an unnamed build.',
  example: {
    answer: {
      version: '0.1.0',
      commit: 'dc84b47fb07fd3297c4ef92aaf83bc9a273c5379',
      commit_short: 'dc84b47',
      fecha_build: null,
    },
  },
};
