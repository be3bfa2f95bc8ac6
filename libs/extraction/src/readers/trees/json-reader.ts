import { plainText } from '@acervo/analysis';
import { type AcquiredFile, type Extraction, type ReadContext, WholeReader } from '../../reader';
import { factOf, TextBuilder } from '../../text-builder';
import { limited } from '../text/limited';
import { decodeText } from '../text/text-encoding';
import { assertShallow } from './json-depth';

type Json = string | number | boolean | null | readonly Json[] | { readonly [key: string]: Json };

const NUMBER = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Where the string that begins at a quote ends. A loop: a regular expression overflows its stack on long strings. */
const endOfString = (text: string, start: number): number => {
  let at = start + 1;
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1;
  return at + 1;
};

const numbersToTheLetter = (text: string): string =>
  text.replace(NUMBER, (number) => (String(Number(number)) === number ? number : `"${number}"`));

/** Numbers that would change their digits, such as long account numbers and 1.50, as texts. */
const toTheLetter = (text: string): string => {
  const pieces: string[] = [];
  let at = 0;
  for (let start = text.indexOf('"'); start >= 0; start = text.indexOf('"', at)) {
    const end = endOfString(text, start);
    pieces.push(numbersToTheLetter(text.slice(at, start)), text.slice(start, end));
    at = end;
  }
  return pieces.join('') + numbersToTheLetter(text.slice(at));
};

const parsed = (text: string): Json | undefined => {
  try {
    // Only valid JSON is changed: other text, with numbers such as 007, is no JSON.
    JSON.parse(text);
    return JSON.parse(toTheLetter(text)) as Json;
  } catch {
    return undefined;
  }
};

/**
 * The value of a file, or a list of the values of its lines: a line without a value stays as it is written.
 * Undefined for other text, such as JSON with comments, or cut off.
 */
const valueOf = (text: string): Json | undefined => {
  const whole = parsed(text);
  if (whole !== undefined) return whole;
  const lines = text.split('\n').filter((line) => line.trim() !== '');
  const values = lines.map((line) => parsed(line) ?? line);
  const records = values.filter((value) => !isScalar(value)).length;
  return lines.length >= 2 && records * 2 > lines.length ? values : undefined;
};

const isScalar = (value: Json): value is string | number | boolean | null =>
  typeof value !== 'object' || value === null;

const isNothing = (value: Json): boolean => value === null || value === '';

/** Writes values as lines of `path: value`; nested entries of a list become separate blocks. */
class JsonWriter {
  private startsBlock = true;

  constructor(private readonly builder: TextBuilder) {}

  write(value: Json, path: string): void {
    if (isScalar(value)) this.line(value, path);
    else if (!Array.isArray(value)) this.entries(value as { readonly [key: string]: Json }, path);
    else if (value.every(isScalar)) this.line(value.filter((entry) => !isNothing(entry)).join(', '), path);
    else
      for (const entry of value as readonly Json[]) {
        this.startsBlock = true;
        this.write(entry, path);
      }
  }

  private entries(value: { readonly [key: string]: Json }, path: string): void {
    for (const [key, entry] of Object.entries(value)) this.write(entry, path === '' ? key : `${path}.${key}`);
  }

  private line(value: string | number | boolean | null, path: string): void {
    if (isNothing(value)) return;
    const text = path === '' ? String(value) : `${path}: ${value}`;
    if (this.startsBlock) this.builder.paragraph(text);
    else this.builder.line(text);
    this.startsBlock = false;
  }
}

const titleOf = (value: Json): string | null => {
  const title = isScalar(value) || Array.isArray(value) ? null : (value as { readonly [key: string]: Json })['title'];
  return typeof title === 'string' ? factOf(title) : null;
};

/** JSON and JSON Lines: each value on a line with the names on its path; text that is no JSON as it stands. */
export class JsonReader extends WholeReader {
  readonly name = 'json';

  async read({ bytes }: AcquiredFile, { limits }: ReadContext): Promise<Extraction> {
    const text = limited(decodeText(bytes), limits);
    assertShallow(text, limits.elementDepth);
    const value = text.trim() === '' ? '' : valueOf(text);
    // People read it as the text that it is.
    if (value === undefined) return { document: plainText(text, { title: null }), attachments: [] };
    const builder = new TextBuilder(limits);
    new JsonWriter(builder).write(value, '');
    return { document: { ...builder.build(), title: titleOf(value) }, attachments: [] };
  }
}
