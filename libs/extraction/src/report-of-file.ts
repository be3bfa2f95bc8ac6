import type { Attachment, Extraction, RawPage } from './reader';
import { type ExtractionReport, PartTally } from './report';

/** Files that travel inside a file, where all of them become documents. */
const countAttachments = (tally: PartTally, attachments: readonly Attachment[]): void => {
  if (attachments.length === 0) return;
  tally.count('ATTACHMENT', attachments.length);
  tally.read('ATTACHMENT', attachments.length);
};

/**
 * The report of a file that is read page by page.
 * @param parts what its reader counted beside the pages; its attachments alone where absent
 */
export const pagedReport = (
  pages: readonly RawPage[],
  attachments: readonly Attachment[],
  parts?: ExtractionReport,
): ExtractionReport => {
  const tally = new PartTally();
  const unreadable = pages.filter(({ isUnreadable }) => isUnreadable === true).length;
  const blank = pages.filter(({ lines }) => lines.length === 0).length - unreadable;
  tally.count('PAGE', pages.length);
  tally.read('PAGE', pages.length - blank - unreadable);
  tally.leaveOut('PAGE', 'NO_TEXT', blank);
  tally.leaveOut('PAGE', 'UNSUPPORTED', unreadable);
  if (parts === undefined) countAttachments(tally, attachments);
  return { parts: [...tally.report().parts, ...(parts?.parts ?? [])] };
};

/** The report of a reader; a file without one consists of one part, and of the files that travel inside it. */
export const reportOf = ({ report, attachments }: Extraction): ExtractionReport => {
  if (report !== undefined && report.parts.length > 0) return report;
  const tally = new PartTally();
  tally.count('PART');
  tally.read('PART');
  countAttachments(tally, attachments);
  return tally.report();
};
