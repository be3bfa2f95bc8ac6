/** One character of a pattern: itself, `?`, or a class such as `[a-z]`. */
type Unit = string | ((character: string) => boolean);

const ANY: Unit = () => true;

/** A part of a pattern between two `*`. */
interface Chunk {
  readonly units: readonly Unit[];
  /** The text of a chunk without `?` and classes. */
  readonly literal: string | undefined;
}

const chunkOf = (units: readonly Unit[]): Chunk => ({
  units,
  literal: units.every((unit) => typeof unit === 'string') ? units.join('') : undefined,
});

const standsAt = ({ units, literal }: Chunk, name: string, at: number): boolean =>
  literal === undefined
    ? units.every((unit, index) => {
        const character = name[at + index] ?? '';
        return typeof unit === 'string' ? unit === character : unit(character);
      })
    : name.startsWith(literal, at);

/** The first place of a chunk from `at` on that ends before `end`; undefined where there is none. */
const firstPlace = (chunk: Chunk, name: string, at: number, end: number): number | undefined => {
  const last = end - chunk.units.length;
  for (let place = at; place <= last; place += 1) if (standsAt(chunk, name, place)) return place;
  return undefined;
};

const RANGE = '-';

/** Reads the class that begins at `from`, after its bracket; undefined where it is not closed. */
const readClass = (text: string, from: number): { readonly unit: Unit; readonly next: number } | undefined => {
  let at = from;
  const isNegated = text[at] === '!' || text[at] === '^';
  if (isNegated) at += 1;
  const ranges: (readonly [string, string])[] = [];
  const read = (): string => (text[at] === '\\' ? (text[(at += 2) - 1] ?? '') : (text[(at += 1) - 1] ?? ''));
  for (let isFirst = true; isFirst || text[at] !== ']'; isFirst = false) {
    if (at >= text.length) return undefined;
    const low = read();
    const isRange = text[at] === RANGE && text[at + 1] !== ']' && at + 1 < text.length;
    if (isRange) at += 1;
    ranges.push([low, isRange ? read() : low]);
  }
  const unit = (character: string): boolean =>
    ranges.some(([low, high]) => character >= low && character <= high) !== isNegated;
  return { unit, next: at + 1 };
};

/**
 * The pattern of one name: `*`, `?` and classes. Each chunk takes its first possible place, which is never worse than a
 * later one. No place is tried twice, so that a match costs at most the length of the pattern times that of the name.
 */
export class NamePattern {
  private constructor(
    private readonly chunks: readonly [Chunk, ...Chunk[]],
    private readonly shortest: number,
  ) {}

  /** Undefined for a pattern that matches no name: a class is not closed, or nothing follows an escape. */
  static of(text: string): NamePattern | undefined {
    const chunks: Unit[][] = [[]];
    for (let at = 0; at < text.length;) {
      const character = text[at] ?? '';
      at += 1;
      if (character === '*') {
        chunks.push([]);
        continue;
      }
      const read = NamePattern.unitAt(text, character, at);
      if (read === undefined) return undefined;
      chunks.at(-1)?.push(read.unit);
      at = read.next;
    }
    const [first = chunkOf([]), ...others] = chunks.map(chunkOf);
    return new NamePattern(
      [first, ...others.filter(({ units }, index) => units.length > 0 || index === others.length - 1)],
      chunks.reduce((sum, units) => sum + units.length, 0),
    );
  }

  private static unitAt(
    text: string,
    character: string,
    next: number,
  ): { readonly unit: Unit; readonly next: number } | undefined {
    if (character === '?') return { unit: ANY, next };
    if (character === '[') return readClass(text, next);
    if (character !== '\\') return { unit: character, next };
    const escaped = text[next];
    return escaped === undefined ? undefined : { unit: escaped, next: next + 1 };
  }

  matches(name: string): boolean {
    const [first, ...others] = this.chunks;
    const last = others.pop();
    if (name.length < this.shortest || !standsAt(first, name, 0)) return false;
    if (last === undefined) return name.length === first.units.length;
    const end = name.length - last.units.length;
    let at = first.units.length;
    for (const chunk of others) {
      const place = firstPlace(chunk, name, at, end);
      if (place === undefined) return false;
      at = place + chunk.units.length;
    }
    return standsAt(last, name, end);
  }
}
