import type { KnownDocument } from './compare';
import type { UnseenPlaces } from './unseen-places';

export interface AbsenceInput {
  /** Documents whose file was not found. */
  readonly absent: readonly KnownDocument[];
  /** Documents that were there before this scan. */
  readonly present: number;
  /** What could not be looked at. */
  readonly unseen: UnseenPlaces;
  /** Somebody confirmed that so many are gone. */
  readonly accepted: boolean;
}

/** Which documents are gone, and what is said instead where that is not believed. */
export interface Absence {
  readonly gone: readonly KnownDocument[];
  /** Documents that were seen to be gone and were left as they are, because they are most of what there was. */
  readonly doubted: number;
  readonly notice: string | null;
}

/** Length of a notice, as the contract has it. */
const LONGEST = 500;
const cut = (text: string): string => (text.length <= LONGEST ? text : `${text.slice(0, LONGEST - 1)}…`);

/**
 * A file is gone when a scan looks where it was and does not find it, unless most are gone at once: that is a disk, not
 * a person. What lies where a scan could not look is neither gone nor there, and counts on neither side.
 */
export const judgeAbsence = ({ absent, present, unseen, accepted }: AbsenceInput): Absence => {
  const missing = absent.filter(({ status, deleted }) => status !== 'NO_ENCONTRADO' && !deleted);
  const gone = accepted ? missing : missing.filter((document) => !unseen.covers(document));
  const seen = present - (missing.length - gone.length);
  const isDoubted = gone.length > seen / 2 && !accepted;
  const most = `${gone.length} of ${seen} documents are gone at once, so they were left as they are; accept the deletions if they are meant.`;
  const said = [...(isDoubted ? [most] : []), ...unseen.sentences(accepted)];
  return {
    gone: isDoubted ? [] : gone,
    doubted: isDoubted ? gone.length : 0,
    notice: said.length === 0 ? null : cut(said.join(' ')),
  };
};
