import { LimitExceeded } from '../../errors';
import type { Attachment, ReadLimits } from '../../reader';
import { factOf } from '../../text-builder';
import type { Pdfium } from './pdfium';

const MOST_NAME_BYTES = 2_048;

const contentOf = (pdfium: Pdfium, attachment: number, most: number): Buffer | null => {
  const { calls, scratch } = pdfium;
  if (calls.FPDFAttachment_GetFile(attachment, 0, 0, scratch) === 0) return null;
  const length = pdfium.integer(0);
  if (length > most) throw new LimitExceeded('bytes of attachments', most);
  const at = calls.malloc(Math.max(1, length));
  try {
    return calls.FPDFAttachment_GetFile(attachment, at, length, scratch) === 0 ? null : pdfium.bytes(at, length);
  } finally {
    calls.free(at);
  }
};

/**
 * The embedded files of a PDF.
 * @throws LimitExceeded
 */
export const attachmentsOfPdf = (pdfium: Pdfium, document: number, limits: ReadLimits): Attachment[] => {
  const { calls } = pdfium;
  const count = calls.FPDFDoc_GetAttachmentCount(document);
  if (count > limits.entries) throw new LimitExceeded('attachments', limits.entries);
  const attachments: Attachment[] = [];
  let left = limits.inflatedBytes;
  for (let index = 0; index < count; index += 1) {
    const attachment = calls.FPDFDoc_GetAttachment(document, index);
    const bytes = attachment === 0 ? null : contentOf(pdfium, attachment, left);
    if (bytes === null) continue;
    const read = (buffer: number, length: number): number => calls.FPDFAttachment_GetName(attachment, buffer, length);
    const name = factOf(pdfium.answer(read, MOST_NAME_BYTES).toString('utf16le'));
    attachments.push({ name: name ?? `attachment-${index + 1}`, bytes });
    left -= bytes.length;
  }
  return attachments;
};
