import { comparable, FoldedText } from '../taxonomy/patterns/folded-text';
import type { ClassifiableDocument, Evidence } from './classified';

/** Characters of a text that rules read. */
const LONGEST_READ = 1_000_000;
/** Characters of a quote; a longer range is cut, so that its quote stays literal. */
const LONGEST_QUOTE = 500;

const pageAt = (pageStarts: readonly number[], place: number): number | null => {
  const next = pageStarts.findIndex((start) => start > place);
  return pageStarts.length === 0 ? null : next < 0 ? pageStarts.length : Math.max(1, next);
};

/** A range of the text of a document, to the letter; one that is long is cut. */
export const evidenceAt = (
  { text, pageStarts }: Pick<ClassifiableDocument, 'text' | 'pageStarts'>,
  start: number,
  end: number,
): Evidence => {
  const endAt = Math.min(end, start + LONGEST_QUOTE);
  return { page: pageAt(pageStarts, start), startAt: start, endAt, quote: text.slice(start, endAt) };
};

/** A document as rules read it; what several rules need is made once. */
export class DocumentReading {
  private foldedText: FoldedText | undefined;

  private readonly folded = new Map<string, string>();

  constructor(readonly document: ClassifiableDocument) {}

  get text(): FoldedText {
    this.foldedText ??= new FoldedText(this.document.text.slice(0, LONGEST_READ));
    return this.foldedText;
  }

  /** The comparable form of a short field. */
  comparable(text: string): string {
    const folded = this.folded.get(text) ?? comparable(text);
    this.folded.set(text, folded);
    return folded;
  }

  /** A range of the text, to the letter. */
  evidence(start: number, end: number): Evidence {
    return evidenceAt(this.document, start, end);
  }
}
