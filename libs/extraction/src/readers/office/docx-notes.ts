import { FlowWriter } from '../../flow-writer';
import { TextBuilder } from '../../text-builder';
import type { XmlElement } from '../archive';
import { DocxBody, type DocxParts } from './docx-body';
import type { OfficePackage, Relation } from './office-package';
import { readShownParts } from './shown-parts';

export type NoteKind = 'footnote' | 'endnote' | 'comment';

/** Writes each note of a part as a text of its own. */
class Notes {
  readonly texts = new Map<string, string>();
  /** The comment whose last paragraph has an ID. */
  readonly owners = new Map<string, string>();
  readonly body: DocxBody;
  private builder: TextBuilder;
  private flow: FlowWriter;
  private id: string | null = null;
  private author = '';

  constructor(
    private readonly office: OfficePackage,
    private readonly kind: NoteKind,
    parts: DocxParts,
  ) {
    this.builder = new TextBuilder(office.limits);
    this.flow = new FlowWriter(this.builder);
    this.body = new DocxBody(this.flow, parts);
  }

  open(element: XmlElement): void {
    // Separator lines have a type.
    this.id = element.get('w:type') === undefined ? (element.get('w:id') ?? null) : null;
    this.author = element.get('w:author') ?? '';
    this.builder = new TextBuilder(this.office.limits);
    this.flow = new FlowWriter(this.builder);
    this.body.writeTo(this.flow);
  }

  close(): void {
    this.flow.end();
    const text = this.builder.isEmpty ? '' : this.builder.build().text.replaceAll('\n\n', '\n');
    const prefix = this.author === '' ? '' : `${this.author}: `;
    if (this.id !== null && text !== '') this.texts.set(`${this.kind} ${this.id}`, prefix + text);
  }

  paragraph(element: XmlElement): void {
    const id = element.get('w14:paraId');
    if (id !== undefined && this.id !== null) this.owners.set(id, `${this.kind} ${this.id}`);
  }
}

/** Moves each reply behind the comment that it answers: the body may refer to the first of a thread alone. */
const joinThreads = async (office: OfficePackage, part: string, { texts, owners }: Notes): Promise<void> => {
  const join = (element: XmlElement): void => {
    const reply = owners.get(element.get('w15:paraId') ?? '') ?? '';
    const answered = owners.get(element.get('w15:paraIdParent') ?? '') ?? '';
    const [text, before] = [texts.get(reply), texts.get(answered)];
    if (text === undefined || before === undefined || reply === answered) return;
    texts.set(answered, `${before}\n\n${text}`);
    texts.delete(reply);
  };
  await office.walk(part, { opened: new Map([['w15:commentEx', join]]) });
};

/** The texts of footnotes, endnotes or comments by their kind and number; separator lines are not notes. */
export const readNotes = async (
  office: OfficePackage,
  kind: NoteKind,
  relations: readonly Relation[],
  parts: DocxParts,
): Promise<ReadonlyMap<string, string>> => {
  const partOf = (wanted: string): string | undefined => relations.find((relation) => relation.kind === wanted)?.part;
  const part = partOf(`${kind}s`);
  if (part === undefined || !office.has(part)) return new Map();
  const shown = await readShownParts(office, await office.relations(part));
  const notes = new Notes(office, kind, { ...parts, shown });
  const { body } = notes;
  const openParagraph = body.opened.get('w:p');
  const opened = new Map(body.opened)
    .set(`w:${kind}`, (element) => notes.open(element))
    .set('w:p', (element) => {
      notes.paragraph(element);
      openParagraph?.(element);
    });
  const closed = new Map(body.closed).set(`w:${kind}`, () => notes.close());
  await office.walk(part, { opened, closed, text: body.text, skipped: body.skipped });
  const threads = partOf('commentsExtended');
  if (kind === 'comment' && threads !== undefined && office.has(threads)) await joinThreads(office, threads, notes);
  return notes.texts;
};
