import { type Attachment, AttachmentList } from '@acervo/extraction';
import { DocumentRefused } from '@acervo/files';
import type { DocumentStatus } from '@acervo/public-mapping';
import type { PipelineSettings } from '../reading/pipeline-settings';

/** A file inside another one, with its bytes in the object store. */
export interface StoredAttachment {
  readonly name: string;
  readonly size: number;
  /** SHA-256 of its bytes, in hex. */
  readonly hash: string;
  readonly object: string;
}

/** Most files that one file of a folder may carry, nested ones included. */
export const MOST_CARRIED = 10_000;

/** A file carries more files than allowed. */
export class CarriesTooMuch extends DocumentRefused {
  constructor() {
    super('ERROR', `The file carries more than ${MOST_CARRIED} files, the most that are read.`);
  }
}

/** The same attachments, each with a clean and unique name. */
export const named = (attachments: readonly Attachment[]): readonly Attachment[] => {
  const list = new AttachmentList({ entries: Number.MAX_SAFE_INTEGER });
  for (const { name, bytes } of attachments) list.add(name, '', bytes);
  return list.items;
};

/** The first step of an attachment: its bytes are stored already, so it starts with its extraction. */
export const attachmentBeginning = (
  { mostDepth, reading }: Pick<PipelineSettings, 'mostDepth' | 'reading'>,
  name: string,
  depth: number,
): { status: DocumentStatus; reason: string | null } => {
  if (depth > mostDepth)
    return {
      status: 'ERROR',
      reason: `It lies deeper than ${mostDepth} files inside each other, the most that is read.`,
    };
  const reason = reading.whyNot(name);
  return reason === null ? { status: 'ADQUIRIDO', reason } : { status: 'NO_SOPORTADO', reason };
};
