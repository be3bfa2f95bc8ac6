import type { XmlElement } from '../archive';
import type { OfficePackage } from './office-package';

/** The texts of footnotes, endnotes or comments by their kind and number; separator lines are not notes. */
export const readNotes = async (
  office: OfficePackage,
  kind: 'footnote' | 'endnote' | 'comment',
  part: string | undefined,
): Promise<ReadonlyMap<string, string>> => {
  const notes = new Map<string, string>();
  if (part === undefined || !office.has(part)) return notes;
  let id: string | null = null;
  let inText = false;
  let note = '';
  let prefix = '';
  const opened = new Map<string, (element: XmlElement) => void>([
    [
      `w:${kind}`,
      (element) => {
        id = element.get('w:type') === undefined ? (element.get('w:id') ?? null) : null;
        const author = element.get('w:author') ?? '';
        note = '';
        prefix = author === '' ? '' : `${author}: `;
      },
    ],
    ['w:t', () => (inText = true)],
    ['w:tab', () => (note += ' ')],
    ['w:br', () => (note += '\n')],
  ]);
  const closed = new Map<string, () => void>([
    [`w:${kind}`, () => id !== null && note.trim() !== '' && notes.set(`${kind} ${id}`, prefix + note.trim())],
    ['w:t', () => (inText = false)],
    ['w:p', () => (note += '\n')],
  ]);
  const text = (piece: string): void => {
    if (inText) note += piece;
  };
  await office.walk(part, { opened, closed, text, skipped: new Set(['w:del', 'w:moveFrom', 'mc:Fallback']) });
  return notes;
};
