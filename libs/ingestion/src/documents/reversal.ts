import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus } from '@acervo/public-mapping';
import { ACQUIRE, CHUNK, CLASSIFY, EMBED, EXTRACT, HAND_OVER, SUMMARISE } from '../pipeline/stages';

export interface Milestone {
  readonly status: DocumentStatus;
  /** Columns of the document that are filled in this state. */
  readonly columns: readonly string[];
  /** The step that continues from this state. */
  readonly next: Stage;
}

const milestones: readonly Milestone[] = [
  { status: 'DETECTADO', columns: [], next: ACQUIRE },
  { status: 'ADQUIRIDO', columns: ['content_hash', 'original_object'], next: EXTRACT },
  { status: 'EXTRAIDO', columns: ['text_object', 'title', 'language', 'pages'], next: CLASSIFY },
  { status: 'CLASIFICADO', columns: [], next: SUMMARISE },
  { status: 'RESUMIDO', columns: ['summary'], next: CHUNK },
  { status: 'FRAGMENTADO', columns: ['chunks_object', 'chunk_count', 'chunks_digest'], next: HAND_OVER },
];
const LAST = ['vectors_object', 'embedding'];

/** The milestone of a state; undefined for a state that documents do not leave by themselves. */
export const milestoneAt = (status: DocumentStatus): Milestone | undefined =>
  milestones.find((milestone) => milestone.status === status);

/** All columns that the steps fill. */
export const madeColumns: readonly string[] = [...milestones.flatMap(({ columns }) => columns), ...LAST];

/** How a document returns to an earlier state. */
export interface Reversal {
  readonly status: DocumentStatus;
  /** Columns that must be filled to continue from that state. */
  readonly retained: readonly string[];
  readonly discarded: readonly string[];
  readonly next: Stage;
  /** Steps whose remembered results are discarded. */
  readonly repeated: readonly string[];
}

/** The reversal to a state; undefined where documents cannot return to it. */
export const reversalTo = (status: DocumentStatus): Reversal | undefined => {
  const place = milestones.findIndex((milestone) => milestone.status === status);
  const found = milestones[place];
  if (found === undefined) return undefined;
  const retained = milestones.slice(0, place + 1).flatMap(({ columns }) => columns);
  return {
    status,
    retained: retained.filter((column) => column.endsWith('_object')),
    discarded: madeColumns.filter((column) => !retained.includes(column)),
    next: found.next,
    repeated: [...milestones.slice(place).map(({ next }) => next.name), EMBED.name],
  };
};
