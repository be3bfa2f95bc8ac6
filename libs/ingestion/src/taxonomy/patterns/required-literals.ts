import { comparable } from './folded-text';

/** Shorter literals stand everywhere and save nothing. */
const SHORTEST = 3;
const MOST_ALTERNATIVES = 8;
const GROUP = /\((?:\?(?:P?<[^>]{0,100}>|[a-zA-Z-]{0,9}:))?/y;
/** A beginning of a group that the reader does not know. */
const UNREAD = /\(\?(?!(?:P?<[^>]{0,100}>|[a-zA-Z-]{0,9}[:)]))/;
const FLAGS = /\(\?[a-zA-Z-]{1,9}\)/y;
const QUANTIFIER = /(?:([*+?])|\{(\d+)(?:,\d*)?\})\??/y;
/** Escapes that stand for themselves; others are classes, places or characters by their code. */
const SELF = /[^a-zA-Z0-9]/;

type Literals = readonly string[];

const shortest = (literals: Literals): number => Math.min(...literals.map(({ length }) => length));
const better = (a: Literals | undefined, b: Literals | undefined): Literals | undefined => {
  if (a === undefined || b === undefined) return a ?? b;
  return shortest(b) > shortest(a) ? b : a;
};

/** Reads the literals of a valid RE2 pattern, one of which every match contains. */
class LiteralReader {
  private at = 0;

  constructor(private readonly pattern: string) {}

  /** Up to the end of a group or of the pattern. */
  alternatives(): Literals | undefined {
    const found: (Literals | undefined)[] = [this.concatenation()];
    while (this.pattern[this.at] === '|') {
      this.at += 1;
      found.push(this.concatenation());
    }
    const all = found.flatMap((literals) => literals ?? []);
    const isEachBound = found.every((literals) => literals !== undefined);
    return isEachBound && all.length <= MOST_ALTERNATIVES ? all : undefined;
  }

  private concatenation(): Literals | undefined {
    let [best, run]: [Literals | undefined, string] = [undefined, ''];
    const close = (): void => {
      const literal = comparable(run);
      if (literal.trim().length >= SHORTEST) best = better(best, [literal]);
      run = '';
    };
    while (this.at < this.pattern.length && !'|)'.includes(this.pattern[this.at] ?? '')) {
      if (this.skip(FLAGS) !== undefined) continue;
      const item = this.item();
      const isOptional = this.quantified();
      if (typeof item === 'string' && isOptional === undefined) {
        run += item;
        continue;
      }
      if (typeof item === 'string' && isOptional === false) run += item;
      close();
      if (typeof item === 'object' && isOptional !== true) best = better(best, item);
    }
    close();
    return best;
  }

  /** A character that stands for itself, the literals of a group, or undefined for anything else. */
  private item(): string | Literals | undefined {
    const character = String.fromCodePoint(this.pattern.codePointAt(this.at) ?? 0);
    if (character === '(') return this.group();
    if (character === '[') return this.skipClass();
    if (character === '\\') return this.escape();
    this.at += character.length;
    return '.^$'.includes(character) ? undefined : character;
  }

  private group(): Literals | undefined {
    this.skip(GROUP);
    const literals = this.alternatives();
    this.at += 1;
    return literals;
  }

  private skipClass(): undefined {
    const from = this.at;
    this.at += this.pattern[this.at + 1] === '^' ? 2 : 1;
    const first = this.at;
    while (this.at < this.pattern.length && (this.pattern[this.at] !== ']' || this.at === first)) {
      if (this.pattern.startsWith('[:', this.at)) this.at = Math.max(this.pattern.indexOf(':]', this.at) + 1, this.at);
      this.at += this.pattern[this.at] === '\\' ? 2 : 1;
    }
    this.at = Math.max(this.at + 1, from + 1);
  }

  private escape(): string | undefined {
    const escaped = this.pattern[this.at + 1] ?? '';
    this.at += 2;
    if (SELF.test(escaped)) return escaped;
    if (escaped === 'Q') this.at = this.after('\\E');
    else if ('pPx'.includes(escaped))
      this.at = this.pattern[this.at] === '{' ? this.after('}') : this.at + (escaped === 'x' ? 2 : 1);
    return undefined;
  }

  private after(text: string): number {
    const place = this.pattern.indexOf(text, this.at);
    return place < 0 ? this.pattern.length : place + text.length;
  }

  /** Whether what stands before may be missing; undefined without a quantifier. */
  private quantified(): boolean | undefined {
    const found = this.skip(QUANTIFIER);
    if (found === undefined) return undefined;
    return found[1] === undefined ? Number(found[2]) === 0 : found[1] !== '+';
  }

  private skip(expression: RegExp): RegExpExecArray | undefined {
    expression.lastIndex = this.at;
    const found = expression.exec(this.pattern);
    if (found === null) return undefined;
    this.at += found[0].length;
    return found;
  }
}

/**
 * Literals, in their comparable form, one of which stands in the comparable form of every text that a pattern matches.
 * Undefined where the pattern has none of at least three characters.
 * @param pattern that RE2 accepts
 */
export const requiredLiterals = (pattern: string): Literals | undefined =>
  UNREAD.test(pattern) ? undefined : new LiteralReader(pattern).alternatives();
