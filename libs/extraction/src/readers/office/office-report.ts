import type { ExtractedText } from '@acervo/analysis';
import type { LeftOutReason } from '@acervo/public-mapping';
import { type ExtractionReport, PartTally } from '../../report';
import { type Embedded, EMBEDDING } from './embedded-files';
import type { OfficePackage, Relation } from './office-package';

/** Parts of a text document whose text is read. */
const READ = ['header', 'footer', 'footnotes', 'endnotes', 'comments', 'chart', 'chartEx', 'diagramData', 'aFChunk'];
/** Why the other parts are not read; a kind that is not listed is left out as unread. */
const REASONS: ReadonlyMap<string, LeftOutReason> = new Map<string, LeftOutReason>([
  ['image', 'PICTURE'],
  ['hdphoto', 'PICTURE'],
  ['diagramDrawing', 'REPEATED'],
  ['commentsExtended', 'REPEATED'],
  ['commentsIds', 'REPEATED'],
  ['commentsExtensible', 'REPEATED'],
  ['vbaProject', 'UNSUPPORTED'],
  ['control', 'UNSUPPORTED'],
  ...[
    'styles',
    'stylesWithEffects',
    'theme',
    'settings',
    'webSettings',
    'fontTable',
    'numbering',
    'customXml',
    'diagramLayout',
    'diagramQuickStyle',
    'diagramColors',
    'people',
    'keyMapCustomizations',
    'printerSettings',
  ].map((kind) => [kind, 'APPEARANCE'] as const),
]);

const countEmbedded = (tally: PartTally, { files, others }: Embedded): void => {
  if (files.length + others === 0) return;
  tally.count('ATTACHMENT', files.length + others);
  tally.read('ATTACHMENT', files.length);
  tally.leaveOut('ATTACHMENT', 'UNSUPPORTED', others);
};

const NONE: Embedded = { files: [], others: 0 };

/** What of a text document is in its text. */
interface TextSources {
  readonly embedded: Embedded;
  /** Texts of the parts that it shows, by the ID of their relation. */
  readonly shown: ReadonlyMap<string, string>;
}

/** The parts that a text document refers to. The numbers of lists count as appearance: their labels are in the text. */
export const reportOfRelations = (
  office: OfficePackage,
  relations: readonly Relation[],
  { embedded, shown }: TextSources,
): ExtractionReport => {
  const tally = new PartTally();
  const parts = relations.filter(({ kind }) => !EMBEDDING.includes(kind));
  tally.count('RELATION', parts.length);
  for (const { id, kind, part } of parts) {
    const reason = REASONS.get(kind);
    if (!office.has(part)) tally.leaveOut('RELATION', 'DAMAGED');
    else if (kind === 'aFChunk' && !shown.has(id)) tally.leaveOut('RELATION', 'UNSUPPORTED');
    else if (READ.includes(kind)) tally.read('RELATION');
    else if (reason !== undefined) tally.leaveOut('RELATION', reason);
  }
  countEmbedded(tally, embedded);
  return tally.report();
};

/** The slides that a presentation lists: those with text are pages of it, those without their part are damaged. */
export const reportOfSlides = (
  { slides, missing }: { readonly slides: number; readonly missing: number },
  { pages }: ExtractedText,
  embedded: Embedded = NONE,
): ExtractionReport => {
  const tally = new PartTally();
  tally.count('SLIDE', slides);
  tally.read('SLIDE', pages.length);
  tally.leaveOut('SLIDE', 'NO_TEXT', slides - missing - pages.length);
  tally.leaveOut('SLIDE', 'DAMAGED', missing);
  countEmbedded(tally, embedded);
  return tally.report();
};

/**
 * Sheets of a workbook: those that only programs can show are hidden, those of dialogs and macros unsupported, those
 * without their part damaged.
 */
export interface SheetCounts {
  readonly counted: number;
  readonly hidden: number;
  readonly unsupported: number;
  readonly read: number;
}

export const reportOfSheets = (
  { counted, hidden, unsupported, read }: SheetCounts,
  embedded: Embedded = NONE,
): ExtractionReport => {
  const tally = new PartTally();
  tally.count('SHEET', counted);
  tally.read('SHEET', read);
  tally.leaveOut('SHEET', 'HIDDEN', hidden);
  tally.leaveOut('SHEET', 'UNSUPPORTED', unsupported);
  tally.leaveOut('SHEET', 'DAMAGED', counted - hidden - unsupported - read);
  countEmbedded(tally, embedded);
  return tally.report();
};
