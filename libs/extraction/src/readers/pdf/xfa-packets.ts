import { DamagedFile, LimitExceeded } from '../../errors';
import type { ReadLimits } from '../../reader';
import type { Pdfium } from './pdfium';
import { formLines } from './xfa-form';
import { readFormTree } from './xfa-tree';

/** The kind of a form that programs build for display: its pages only ask for another program. */
const BUILT_FOR_DISPLAY = 2;
/** The packets that have what a person sees; a form in one piece has no names. */
const WANTED = ['template', 'datasets', ''];
const MOST_PACKETS = 100;
const MOST_NAME_BYTES = 1_000;

const contentOf = (pdfium: Pdfium, document: number, index: number, most: number): string => {
  const { calls, scratch } = pdfium;
  if (calls.FPDF_GetXFAPacketContent(document, index, 0, 0, scratch) === 0) return '';
  const length = pdfium.integer(0);
  if (length > most) throw new LimitExceeded('bytes of a form', most);
  const at = calls.malloc(Math.max(1, length));
  try {
    const isRead = calls.FPDF_GetXFAPacketContent(document, index, at, length, scratch) !== 0;
    return isRead ? pdfium.bytes(at, length).toString('utf8') : '';
  } finally {
    calls.free(at);
  }
};

const packetsOf = (pdfium: Pdfium, document: number, limits: ReadLimits): string[] => {
  const { calls } = pdfium;
  const packets: string[] = [];
  const count = Math.min(calls.FPDF_GetXFAPacketCount(document), MOST_PACKETS);
  let left = limits.characters;
  for (let index = 0; index < count; index += 1) {
    const read = (buffer: number, length: number): number =>
      calls.FPDF_GetXFAPacketName(document, index, buffer, length);
    const name = pdfium.answer(read, MOST_NAME_BYTES).toString('utf8').replace(/\0/g, '');
    if (!WANTED.includes(name)) continue;
    const packet = contentOf(pdfium, document, index, left);
    left -= packet.length;
    if (packet.trim() !== '') packets.push(packet);
  }
  return packets;
};

/**
 * The lines of a form (XFA) whose pages are built for display; none for a PDF without one, or with a damaged one.
 * @throws LimitExceeded
 */
export const linesOfForm = (pdfium: Pdfium, document: number, limits: ReadLimits): string[] => {
  if (pdfium.calls.FPDF_GetFormType(document) !== BUILT_FOR_DISPLAY) return [];
  try {
    return formLines(packetsOf(pdfium, document, limits).map((packet) => readFormTree(packet, limits)));
  } catch (error) {
    // Its pages stay readable.
    if (error instanceof DamagedFile) return [];
    throw error;
  }
};
