/** What a notation stands for, and where it ends. */
export interface ReadValue {
  readonly value: string;
  readonly end: number;
}

/** Reads a notation that begins at a place of a text; undefined where none does. */
export type ValueReader = (text: string, at: number, language: string | null) => ReadValue | undefined;

/** A sticky expression at a place. */
export const matchAt = (expression: RegExp, text: string, at: number): RegExpExecArray | undefined => {
  expression.lastIndex = at;
  return expression.exec(text) ?? undefined;
};
