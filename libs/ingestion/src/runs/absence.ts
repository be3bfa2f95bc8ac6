import type { KnownDocument } from './compare';

export interface AbsenceInput {
  /** Documents whose file was not found. */
  readonly absent: readonly KnownDocument[];
  /** Documents that were there before this scan. */
  readonly present: number;
  /** Folders that could not be listed. */
  readonly unreadable: number;
  /** Somebody confirmed that so many are gone. */
  readonly accepted: boolean;
}

/** Which documents are gone, and what is said instead where that is not believed. */
export interface Absence {
  readonly gone: readonly KnownDocument[];
  readonly notice: string | null;
}

/** A file is gone when a complete scan does not find it, unless most are gone at once: that is a disk, not a person. */
export const judgeAbsence = ({ absent, present, unreadable, accepted }: AbsenceInput): Absence => {
  const gone = absent.filter(({ status, deleted }) => status !== 'NO_ENCONTRADO' && !deleted);
  if (unreadable > 0)
    return {
      gone: [],
      notice: `${unreadable} entries could not be read, so documents that were not found were left as they are.`,
    };
  if (gone.length > present / 2 && !accepted)
    return {
      gone: [],
      notice: `${gone.length} of ${present} documents are gone at once, so they were left as they are; accept the deletions if they are meant.`,
    };
  return { gone, notice: null };
};
