import CFB from 'cfb';

const PAGE = 512;
/** Places of the FIB that locate the pages with properties of characters. */
const PAGES_AT = 0xfa;
const PAGES_LENGTH_AT = 0xfe;
const PAGE_MASK = 0x3fffff;
const ENTRY = 8;

/** Properties of characters: deleted text of a tracked change, hidden text. */
const DELETED = 0x0800;
const HIDDEN = 0x083c;
/** `word-extractor` knows the property for deleted text by these bits alone, which others share. */
const KIND_BITS = 0x1f;
/** Bytes of an operand by the upper three bits of its property; the others name their length. */
const OPERANDS: Readonly<Record<number, number>> = { 0: 1, 1: 1, 2: 2, 3: 4, 4: 2, 5: 2, 7: 3 };

/** Rewrites the properties of one run. @returns whether any was rewritten */
const rewriteRun = (run: Buffer): boolean => {
  let isChanged = false;
  for (let at = 0; at + 3 <= run.length;) {
    const property = run.readUInt16LE(at);
    const isHidden = property === HIDDEN && ((run[at + 2] ?? 0) & 1) === 1;
    const isMistaken = property !== DELETED && (property & KIND_BITS) === 0;
    if (isHidden) run.writeUInt16LE(DELETED, at);
    else if (isMistaken) run.writeUInt16LE(property | 1, at);
    isChanged ||= isHidden || isMistaken;
    at += 2 + (OPERANDS[property >> 13] ?? (run[at + 2] ?? 0) + 1);
  }
  return isChanged;
};

const rewritePage = (page: Buffer): boolean => {
  let isChanged = false;
  const runs = page[PAGE - 1] ?? 0;
  const seen = new Set<number>();
  for (let index = 0; index < runs; index += 1) {
    const at = (page[(runs + 1) * 4 + index] ?? 0) * 2;
    if (at === 0 || at >= PAGE || seen.has(at)) continue;
    // Runs with equal properties share them.
    seen.add(at);
    isChanged = rewriteRun(page.subarray(at + 1, at + 1 + (page[at] ?? 0))) || isChanged;
  }
  return isChanged;
};

/** Rewrites the properties of characters in the main stream of a document. @returns whether any was rewritten */
const rewrite = (main: Buffer, table: Buffer): boolean => {
  const [start, length] = [main.readUInt32LE(PAGES_AT), main.readUInt32LE(PAGES_LENGTH_AT)];
  const count = Math.floor((length - 4) / ENTRY);
  let isChanged = false;
  for (let index = 0; index < count; index += 1) {
    const entry = start + (count + 1) * 4 + index * 4;
    if (entry + 4 > table.length) break;
    const at = (table.readUInt32LE(entry) & PAGE_MASK) * PAGE;
    if (at + PAGE <= main.length) isChanged = rewritePage(main.subarray(at, at + PAGE)) || isChanged;
  }
  return isChanged;
};

/**
 * A document in the form that `word-extractor` reads right: hidden text counts as deleted text, which it leaves out, and
 * no other property does.
 */
export const withoutHiddenText = (bytes: Buffer, main: Buffer, table: Buffer | undefined): Buffer => {
  if (table === undefined || main.length < PAGES_LENGTH_AT + 4 || !rewrite(main, table)) return bytes;
  const container = CFB.read(bytes, { type: 'buffer' });
  const entry = container.FileIndex.find(({ name, type }) => name === 'WordDocument' && type === 2);
  if (entry === undefined) return bytes;
  entry.content = main;
  return Buffer.from(CFB.write(container, { type: 'buffer' }) as Uint8Array);
};
