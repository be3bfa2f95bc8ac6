import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import { ACQUIRE, CHUNK, EMBED, EXTRACT, SUMMARISE } from '../pipeline/stages';

export interface Milestone {
  readonly status: DocumentStatus;
  /** Columns of the document that are filled once it stands there. */
  readonly columns: readonly string[];
  /** The step that goes on from there. */
  readonly next: Stage;
}

const milestones: readonly Milestone[] = [
  { status: 'DETECTADO', columns: [], next: ACQUIRE },
  { status: 'ADQUIRIDO', columns: ['content_hash', 'original_object'], next: EXTRACT },
  { status: 'EXTRAIDO', columns: ['text_object', 'title', 'language', 'pages'], next: SUMMARISE },
  { status: 'RESUMIDO', columns: ['summary'], next: CHUNK },
  { status: 'FRAGMENTADO', columns: ['chunks_object', 'chunk_count', 'chunks_digest'], next: EMBED },
];
const LAST = ['vectors_object', 'embedding'];

/** What goes on from a state; undefined for one that documents do not leave by themselves. */
export const milestoneAt = (status: DocumentStatus): Milestone | undefined =>
  milestones.find((milestone) => milestone.status === status);

/** Everything that the steps make of a document. */
export const madeColumns: readonly string[] = [...milestones.flatMap(({ columns }) => columns), ...LAST];

/** A way back to an earlier state. */
export interface Reversal {
  readonly status: DocumentStatus;
  /** What must be there to go on from that state. */
  readonly kept: readonly string[];
  readonly discarded: readonly string[];
  readonly next: Stage;
  /** Steps whose remembered results do not count any more. */
  readonly repeated: readonly string[];
}

/** The way back to a state; undefined for one that documents are not taken back to. */
export const reversalTo = (status: DocumentStatus): Reversal | undefined => {
  const place = milestones.findIndex((milestone) => milestone.status === status);
  const found = milestones[place];
  if (found === undefined) return undefined;
  const kept = milestones.slice(0, place + 1).flatMap(({ columns }) => columns);
  return {
    status,
    kept: kept.filter((column) => column.endsWith('_object')),
    discarded: madeColumns.filter((column) => !kept.includes(column)),
    next: found.next,
    repeated: milestones.slice(place).map(({ next }) => next.name),
  };
};
