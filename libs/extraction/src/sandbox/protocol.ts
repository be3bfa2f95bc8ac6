import type { ExtractedText } from '@acervo/analysis';
import type { ExtractionReport } from '../report';
import type { AcquiredFile, Attachment, Extraction, PagedFacts, PictureOfText, RawPage, ReadLimits } from '../reader';
import type { Failure } from './failures';

/** Messages from the supervisor to a reading process. */
export type Order =
  | {
      readonly kind: 'read';
      readonly file: AcquiredFile;
      readonly limits: ReadLimits;
      readonly recognises: boolean;
      /** First unread page, for a file that is read by pages. */
      readonly from: number;
      /** Pages without a search for pictures of text. */
      readonly unseen: readonly number[];
    }
  | { readonly kind: 'assemble'; readonly name: string; readonly pages: readonly RawPage[]; readonly facts: PagedFacts }
  | { readonly kind: 'recognised'; readonly text: string }
  | { readonly kind: 'not-recognised'; readonly failure: Failure };

/** Orders that start work on a file, as opposed to messages during the work. */
export type Task = Extract<Order, { kind: 'read' | 'assemble' }>;

/** Messages from a reading process to its supervisor. */
export type Report =
  /** The readers are loaded, and the first task begins. */
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
      readonly parts?: ExtractionReport;
    }
  | { readonly kind: 'assembled'; readonly document: ExtractedText }
  | { readonly kind: 'extracted'; readonly extraction: Extraction }
  | { readonly kind: 'failed'; readonly failure: Failure };

/** The successful result of a task. */
export type Answer = Extract<Report, { kind: 'extracted' | 'pages-read' | 'assembled' }>;
