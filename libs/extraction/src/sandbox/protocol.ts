import type { ExtractedText } from '@acervo/analysis';
import {
  DamagedFile,
  ExtractionRefusal,
  FileTooLarge,
  LimitExceeded,
  NoTextFound,
  PasswordProtected,
  UnsupportedFile,
} from '../errors';
import type { AcquiredFile, Attachment, Extraction, PagedFacts, PictureOfText, RawPage, ReadLimits } from '../reader';

/** What the supervisor tells a reading process. */
export type Order =
  | {
      readonly kind: 'read';
      readonly file: AcquiredFile;
      readonly limits: ReadLimits;
      readonly recognises: boolean;
      /** First page that is still to be read, where a file is read by pages. */
      readonly from: number;
    }
  | { readonly kind: 'assemble'; readonly name: string; readonly pages: readonly RawPage[]; readonly facts: PagedFacts }
  | { readonly kind: 'recognised'; readonly text: string }
  | { readonly kind: 'not-recognised'; readonly failure: Failure };

/** What a reading process tells its supervisor. */
export type Report =
  | { readonly kind: 'ready' }
  | { readonly kind: 'page'; readonly page: RawPage }
  | { readonly kind: 'recognise'; readonly picture: PictureOfText }
  | {
      readonly kind: 'pages-read';
      readonly reader: string;
      readonly facts: PagedFacts;
      readonly attachments: readonly Attachment[];
    }
  | { readonly kind: 'assembled'; readonly document: ExtractedText }
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** An error as plain data. Only a refusal keeps its message: any other may hold something of the file. */
export interface Failure {
  readonly name: string;
  readonly message: string;
  readonly outcome: ExtractionRefusal['outcome'] | null;
}

const classes = [UnsupportedFile, NoTextFound, PasswordProtected, DamagedFile, FileTooLarge, LimitExceeded] as const;

export const failureOf = (error: unknown): Failure => {
  if (error instanceof ExtractionRefusal)
    return { name: error.constructor.name, message: error.message, outcome: error.outcome };
  return { name: error instanceof Error ? error.name : 'Error', message: '', outcome: null };
};

/** A refusal from the other side as its class; undefined for a failure that is none. */
export const refusalOf = ({ name, message, outcome }: Failure): ExtractionRefusal | undefined => {
  if (outcome === null) return undefined;
  const found = classes.find((each) => each.name === name) ?? (outcome === 'ERROR' ? DamagedFile : UnsupportedFile);
  const refusal: ExtractionRefusal = Object.assign(Object.create(found.prototype) as ExtractionRefusal, { outcome });
  return Object.defineProperty(refusal, 'message', { value: message, enumerable: false });
};
