/** The validated fields of an element of an Unstructured server that are used here. */
export interface Element {
  readonly type: string;
  readonly text: string;
  /** From 1; null if the server names none. */
  readonly page: number | null;
  /** Depth of a title among titles, from 0. */
  readonly depth: number;
  /** A table as HTML. */
  readonly html: string | null;
  readonly facts: {
    readonly subject: string | null;
    readonly from: string | null;
    readonly modified: string | null;
  };
}

/** The server answered in an unknown format. */
export class UnexpectedAnswer extends Error {
  constructor() {
    super('The Unstructured server answered something that is no list of elements; check its address and version.');
    this.name = 'UnexpectedAnswer';
  }
}

type JsonObject = Readonly<Record<string, unknown>>;

const isPlain = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const textIn = (value: unknown): string | null => (typeof value === 'string' ? value : null);
const countIn = (value: unknown): number | null =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : null;

const elementFrom = (value: unknown): Element => {
  if (!isPlain(value)) throw new UnexpectedAnswer();
  const { type, text } = value;
  if (typeof type !== 'string' || typeof text !== 'string') throw new UnexpectedAnswer();
  const metadata = isPlain(value['metadata']) ? value['metadata'] : {};
  const { sent_from: senders } = metadata;
  return {
    type,
    text,
    page: countIn(metadata['page_number']) || null,
    depth: countIn(metadata['category_depth']) ?? 0,
    html: textIn(metadata['text_as_html']),
    facts: {
      subject: textIn(metadata['subject']),
      from: Array.isArray(senders) ? textIn(senders[0]) : null,
      modified: textIn(metadata['last_modified']),
    },
  };
};

/** @throws UnexpectedAnswer */
export const elementsFrom = (answer: unknown): readonly Element[] => {
  if (!Array.isArray(answer)) throw new UnexpectedAnswer();
  return answer.map(elementFrom);
};
