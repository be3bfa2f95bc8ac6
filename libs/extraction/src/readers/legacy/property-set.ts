import type { PagedFacts } from '../../reader';
import { dateOf, factOf } from '../../text-builder';

const HEADER = 48;
const SECTION_AT = 44;
const MOST_PROPERTIES = 200;
/** Kinds of values: a 16-bit number, texts in bytes and in UTF-16, a point in time. */
const [SHORT, BYTES, WIDE, TIME] = [2, 30, 31, 64];
/** Numbers of the properties in use. */
const [CODE_PAGE, TITLE, AUTHOR, LAST_AUTHOR, CREATED, SAVED] = [1, 2, 4, 8, 12, 13];
const UTF_8 = 65_001;
const UTF_16 = 1_200;
/** Windows counts tenths of microseconds from 1601. */
const EPOCH_1601 = 11_644_473_600_000;

type Value = string | number | Date;

const decoder = (codePage: number): TextDecoder => {
  try {
    return new TextDecoder(codePage === UTF_8 ? 'utf-8' : codePage === UTF_16 ? 'utf-16le' : `windows-${codePage}`);
  } catch {
    return new TextDecoder('windows-1252');
  }
};

const valueAt = (bytes: Buffer, at: number, codePage: number): Value | undefined => {
  if (at < 0 || at + 8 > bytes.length) return undefined;
  const kind = bytes.readUInt32LE(at);
  if (kind === SHORT) return bytes.readUInt16LE(at + 4);
  const length = bytes.readUInt32LE(at + 4);
  if (kind === BYTES && at + 8 + length <= bytes.length)
    return decoder(codePage)
      .decode(bytes.subarray(at + 8, at + 8 + length))
      .replace(/\0.*$/s, '');
  if (kind === WIDE && at + 8 + length * 2 <= bytes.length)
    return bytes.toString('utf16le', at + 8, at + 8 + length * 2).replace(/\0.*$/s, '');
  if (kind !== TIME || at + 12 > bytes.length) return undefined;
  const ticks = bytes.readUInt32LE(at + 4) + bytes.readUInt32LE(at + 8) * 2 ** 32;
  return ticks === 0 ? undefined : new Date(ticks / 10_000 - EPOCH_1601);
};

/** The properties of the first section of a property set, by their numbers. Whatever lies outside of it is left out. */
const propertiesOf = (bytes: Buffer): ReadonlyMap<number, Value> => {
  const properties = new Map<number, Value>();
  if (bytes.length < HEADER) return properties;
  const section = bytes.readUInt32LE(SECTION_AT);
  if (section + 8 > bytes.length) return properties;
  const count = Math.min(bytes.readUInt32LE(section + 4), MOST_PROPERTIES);
  let codePage = 1_252;
  for (let index = 0; index < count; index += 1) {
    const at = section + 8 + index * 8;
    if (at + 8 > bytes.length) break;
    const [id, offset] = [bytes.readUInt32LE(at), bytes.readUInt32LE(at + 4)];
    const value = valueAt(bytes, section + offset, codePage);
    if (id === CODE_PAGE && typeof value === 'number') codePage = value;
    if (value !== undefined) properties.set(id, value);
  }
  return properties;
};

/** The facts in the summary that files of Office before 2007 have. */
export const factsOfSummary = (bytes: Buffer | undefined): PagedFacts => {
  const properties = bytes === undefined ? new Map<number, Value>() : propertiesOf(bytes);
  const text = (id: number): string | null => {
    const value = properties.get(id);
    return typeof value === 'string' ? factOf(value) : null;
  };
  const date = (id: number): string | null => {
    const value = properties.get(id);
    return value instanceof Date ? dateOf(value) : null;
  };
  return {
    title: text(TITLE),
    author: text(AUTHOR) ?? text(LAST_AUTHOR),
    date: date(SAVED) ?? date(CREATED),
    language: null,
  };
};

export const SUMMARY = '\u0005SummaryInformation';
