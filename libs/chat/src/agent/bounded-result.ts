type JsonObject = Readonly<Record<string, unknown>>;
type Kind = 'list' | 'text' | 'record';

/** A list, a text or an object within a result. */
interface Part {
  readonly kind: Kind;
  readonly parent: Part | null;
  /** Its bytes as JSON, with all that is left in it. */
  bytes: number;
  isDropped: boolean;
  /** The items of a list, or the values of an object with their names. */
  readonly members: Member[];
  text: string;
}

/** A part, or a number, a flag or null as JSON. */
type Value = Part | string;

interface Member {
  readonly name: string | null;
  readonly value: Value;
}

/** What is shortened, one step after the other, and what is left: items of a list, bytes of a text, values of an object. */
const STEPS: readonly { readonly kind: Kind; readonly least: number }[] = [
  { kind: 'list', least: 1 },
  { kind: 'text', least: 500 },
  { kind: 'list', least: 0 },
  { kind: 'text', least: 0 },
  { kind: 'record', least: 0 },
];

/** The room for `truncated` and `omitted`. */
const MARKS_BYTES = 64;

/** The bytes of an empty list, object or text. */
const FRAME_BYTES = 2;

const bytesOf = (value: unknown): number => Buffer.byteLength(JSON.stringify(value), 'utf8');
const sizeOf = (value: Value): number => (typeof value === 'string' ? value.length : value.bytes);
const nameBytes = ({ name }: Member): number => (name === null ? 0 : bytesOf(name) + 1);
const leftOf = ({ kind, members, bytes }: Part): number => (kind === 'text' ? bytes - FRAME_BYTES : members.length);

/** The longest beginning of a text, in whole code points, that has at most so many bytes as JSON. */
const beginning = (text: string, most: number): string => {
  let [bytes, end] = [0, 0];
  for (const point of text) {
    bytes += bytesOf(point) - FRAME_BYTES;
    if (bytes > most) break;
    end += point.length;
  }
  return text.slice(0, end);
};

const larger = (one: Part | undefined, other: Part): Part =>
  one === undefined || other.bytes > one.bytes ? other : one;

const jsonOf = (value: Value): unknown => {
  if (typeof value === 'string') return JSON.parse(value);
  if (value.kind === 'text') return value.text;
  if (value.kind === 'list') return value.members.map((member) => jsonOf(member.value));
  return Object.fromEntries(value.members.map((member) => [member.name, jsonOf(member.value)]));
};

/** The largest of parts that only shrink, until each of them has no more than `least` left. */
class LargestFirst {
  private readonly waiting: Part[];
  /** Those that were the largest one: few, since a list within a dropped item is never among them. */
  private active: Part[] = [];

  constructor(
    parts: readonly Part[],
    private readonly least: number,
  ) {
    this.waiting = parts.toSorted((one, other) => one.bytes - other.bytes);
  }

  next(): Part | undefined {
    this.active = this.active.filter((part) => this.mayShrink(part));
    let largest = this.active.reduce<Part | undefined>(larger, undefined);
    for (let part = this.waiting.at(-1); part !== undefined; part = this.waiting.at(-1)) {
      const mayShrink = this.mayShrink(part);
      if (mayShrink && largest !== undefined && part.bytes <= largest.bytes) break;
      this.waiting.pop();
      if (!mayShrink) continue;
      this.active.push(part);
      largest = part;
    }
    return largest;
  }

  private mayShrink(part: Part): boolean {
    return !part.isDropped && leftOf(part) > this.least;
  }
}

/** A result while it is shortened: its parts, and the bytes of each. */
class Draft {
  omitted = 0;
  private readonly parts: Readonly<Record<Kind, Part[]>> = { list: [], text: [], record: [] };
  private readonly root: Value;

  constructor(value: unknown) {
    this.root = this.read(value, null);
  }

  get json(): unknown {
    return jsonOf(this.root);
  }

  shortenTo(most: number): void {
    for (const { kind, least } of STEPS) {
      const parts = new LargestFirst(this.parts[kind], least);
      for (let excess = this.over(most); excess > 0; excess = this.over(most)) {
        const part = parts.next();
        if (part === undefined) break;
        if (kind === 'text') this.cut(part, Math.max(least, leftOf(part) - excess));
        else this.dropLast(part);
      }
    }
  }

  private over(most: number): number {
    return sizeOf(this.root) - most;
  }

  private cut(part: Part, most: number): void {
    part.text = beginning(part.text, most);
    this.free(part, part.bytes - bytesOf(part.text));
  }

  private dropLast(part: Part): void {
    const member = part.members.pop();
    if (member === undefined) return;
    this.omitted += 1;
    const comma = part.members.length > 0 ? 1 : 0;
    this.free(part, comma + nameBytes(member) + sizeOf(member.value));
    this.forget(member.value);
  }

  private free(part: Part, bytes: number): void {
    for (let each: Part | null = part; each !== null; each = each.parent) each.bytes -= bytes;
  }

  private forget(value: Value): void {
    if (typeof value === 'string') return;
    value.isDropped = true;
    for (const member of value.members) this.forget(member.value);
  }

  private read(value: unknown, parent: Part | null): Value {
    if (typeof value === 'string') return this.add({ kind: 'text', parent, text: value });
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    const part = this.add({ kind: Array.isArray(value) ? 'list' : 'record', parent, text: '' });
    for (const [name, inner] of Object.entries(value))
      part.members.push({ name: Array.isArray(value) ? null : name, value: this.read(inner, part) });
    const commas = Math.max(0, part.members.length - 1);
    part.bytes += part.members.reduce((sum, member) => sum + nameBytes(member) + sizeOf(member.value), commas);
    return part;
  }

  private add({ kind, parent, text }: Pick<Part, 'kind' | 'parent' | 'text'>): Part {
    const bytes = kind === 'text' ? bytesOf(text) : FRAME_BYTES;
    const part: Part = { kind, parent, text, bytes, isDropped: false, members: [] };
    this.parts[kind].push(part);
    return part;
  }
}

/**
 * A result of at most so many bytes as JSON in UTF-8; a smaller one is returned unchanged. Lists lose items from their
 * end, the largest list first, also within items. A list keeps its first item while shorter texts make enough room;
 * texts are cut at code points, the longest first. `truncated` and `omitted`, the number of items left out, say so.
 */
export const boundedResult = (result: JsonObject, most: number): JsonObject => {
  const text = JSON.stringify(result);
  if (Buffer.byteLength(text, 'utf8') <= most) return result;
  const draft = new Draft(JSON.parse(text));
  draft.shortenTo(most - MARKS_BYTES);
  return { ...(draft.json as JsonObject), truncated: true, omitted: draft.omitted };
};
