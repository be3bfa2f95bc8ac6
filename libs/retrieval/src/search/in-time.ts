import { pause } from '@acervo/platform-resilience';

/**
 * Several answers to one question, null for those that do not come. After the first answer, the others have until the
 * time is up; `late` gets the index of each one that is given up. Without any answer it waits for all of them: slow is
 * better than nothing.
 */
export const inTime = async <T extends readonly unknown[]>(
  answers: { readonly [K in keyof T]: Promise<T[K] | null> },
  patienceMs: number,
  late: (index: number) => void,
): Promise<{ [K in keyof T]: T[K] | null }> => {
  const over = new AbortController();
  const came = new Promise<void>((resolve) => {
    for (const answer of answers) void answer.then((value) => (value === null ? undefined : resolve()));
  });
  const timeIsUp = pause(patienceMs, over.signal);
  const givenUp = Promise.all([came, timeIsUp]);
  const settled = answers.map(
    (answer, index) =>
      new Promise<unknown>((resolve) => {
        let open = true;
        const end = (value: unknown): void => {
          open = false;
          resolve(value);
        };
        void answer.then(end);
        void givenUp.then(() => {
          if (!open) return;
          late(index);
          end(null);
        });
      }),
  );
  try {
    return (await Promise.all(settled)) as { [K in keyof T]: T[K] | null };
  } finally {
    over.abort();
  }
};
