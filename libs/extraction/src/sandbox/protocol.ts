import type { ExtractedText } from '@acervo/analysis';
import type { AcquiredFile, Attachment, Extraction, PagedFacts, PictureOfText, RawPage, ReadLimits } from '../reader';
import type { Failure } from './failures';

/** What the supervisor tells a reading process. */
export type Order =
  | {
      readonly kind: 'read';
      readonly file: AcquiredFile;
      readonly limits: ReadLimits;
      readonly recognises: boolean;
      /** First page that is still to be read, where a file is read by pages. */
      readonly from: number;
      /** Pages that are not looked at for pictures of text. */
      readonly unseen: readonly number[];
    }
  | { readonly kind: 'assemble'; readonly name: string; readonly pages: readonly RawPage[]; readonly facts: PagedFacts }
  | { readonly kind: 'recognised'; readonly text: string }
  | { readonly kind: 'not-recognised'; readonly failure: Failure };

/** What is done with a file, as opposed to what is told meanwhile. */
export type Task = Extract<Order, { kind: 'read' | 'assemble' }>;

/** What a reading process tells its supervisor. */
export type Report =
  | { readonly kind: 'ready' }
  /** The file is open and read by pages. */
  | { readonly kind: 'opened' }
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

/** What a task ends with when it succeeds. */
export type Answer = Extract<Report, { kind: 'extracted' | 'pages-read' | 'assembled' }>;
