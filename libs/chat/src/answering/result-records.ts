type JsonObject = Readonly<Record<string, unknown>>;

/** A value of a result and the names on the way to it. */
export interface ResultCell {
  readonly name: string;
  /** Empty for a flag that is set: its name is what it says. */
  readonly value: string;
}

/** A document that a record names. */
export interface NamedDocument {
  readonly documentCode: string;
  readonly documentName: string;
  readonly url: string;
}

/** Values of a result that belong together: those of one item of a list, or those outside of lists. */
export interface ResultRecord {
  readonly cells: readonly ResultCell[];
  readonly documents: readonly NamedDocument[];
  /** Whether it is one of several, so that a sentence has to say which one it means. */
  readonly isItem: boolean;
}

const MOMENT = /^(\d{4}-\d\d-\d\d)T(\d\d:\d\d)[\d:.]*(?:Z|[+-]\d\d:\d\d)$/;
const DOCUMENT_CODE = /^D\d{1,15}$/;
const MOST_RECORDS = 500;

const isObject = (value: unknown): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const wordsOf = (name: string): string => name.replaceAll('_', ' ');

/** A value as text; undefined for one that says nothing: null, or a flag that is not set. */
const textOf = (value: unknown): string | undefined => {
  if (typeof value === 'string') return value.trim() === '' ? undefined : value.replace(MOMENT, '$1 $2');
  if (typeof value === 'number') return String(value);
  return value === true ? '' : undefined;
};

/** The values of an object outside of its lists. Names of objects within it stand before theirs. */
const cellsOf = (object: JsonObject, before = ''): ResultCell[] =>
  Object.entries(object).flatMap(([key, value]): ResultCell[] => {
    const name = `${before} ${wordsOf(key)}`.trim();
    if (isObject(value)) return cellsOf(value, name);
    if (Array.isArray(value)) return value.flatMap((each) => cellOf(name, each));
    return cellOf(name, value);
  });

const cellOf = (name: string, value: unknown): ResultCell[] => {
  const text = textOf(value);
  return text === undefined ? [] : [{ name, value: text }];
};

const textAt = (object: JsonObject, key: string): string => {
  const { [key]: value } = object;
  return typeof value === 'string' ? value : '';
};

const documentsOf = (object: JsonObject): NamedDocument[] =>
  Object.values(object).flatMap((value) => {
    if (isObject(value)) return documentsOf(value);
    const codes = (Array.isArray(value) ? value : [value]).filter(
      (each): each is string => typeof each === 'string' && DOCUMENT_CODE.test(each),
    );
    return codes.map((documentCode) => ({
      documentCode,
      documentName: (textAt(object, 'name') || documentCode).slice(0, 1024).toWellFormed(),
      url: textAt(object, 'url').slice(0, 4096).toWellFormed(),
    }));
  });

/** The items of the lists in an object, each with what identifies the object itself. */
const itemsOf = (object: JsonObject, of: readonly ResultCell[], documents: readonly NamedDocument[]): ResultRecord[] =>
  Object.entries(object).flatMap(([key, value]): ResultRecord[] => {
    if (isObject(value)) return itemsOf(value, of, documents);
    if (!Array.isArray(value)) return [];
    return value.filter(isObject).flatMap((item) => {
      const values = cellsOf(item);
      const named = values.filter(({ name }) => name === 'code' || name === 'name');
      const all = [...documents, ...documentsOf(item)];
      const record = { cells: [...of, { name: wordsOf(key), value: '' }, ...values], documents: all, isItem: true };
      return [record, ...itemsOf(item, [...of, ...named], all)];
    });
  });

/** Divides the JSON of a result into records. */
export const recordsOf = (result: JsonObject): readonly ResultRecord[] => {
  const documents = documentsOf(result);
  const values = cellsOf(result);
  const top = values.length === 0 ? [] : [{ cells: values, documents, isItem: false }];
  return [...top, ...itemsOf(result, [], documents)].slice(0, MOST_RECORDS);
};
