import { NotFound, type ScopeClaims } from '@acervo/contracts';

/** The functions that answer questions, the first one that a caller has being its default. */
const ANSWERING = ['CHAT-USER', 'CHAT-FINAL-USER'] as const;
export type AnsweringFunction = (typeof ANSWERING)[number];

/**
 * The function that a new conversation is opened for: the one that is named, else the first that the caller has. A
 * caller who has neither, and may ask by another screen, asks as CHAT-USER.
 * @throws NotFound for one that the caller does not have, or that answers no questions
 */
export const answeringFunction = (
  { functions }: Pick<ScopeClaims, 'functions'>,
  named: string | undefined,
): AnsweringFunction => {
  const reached = ANSWERING.filter((code) => functions.includes(code));
  if (named === undefined) return reached[0] ?? 'CHAT-USER';
  const found = reached.find((code) => code === named);
  if (found === undefined) throw new NotFound();
  return found;
};

/** The function of a stored conversation. @throws for one that no conversation is opened for */
export const storedFunction = (code: string): AnsweringFunction => {
  const found = ANSWERING.find((each) => each === code);
  if (found === undefined) throw new Error(`A conversation has the function ${code}, which answers no questions.`);
  return found;
};
