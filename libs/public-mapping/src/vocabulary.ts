/**
 * A value without an English public name reached a public answer. The answer fails instead of leaking the internal
 * code.
 */
export class CodeMappingMissing extends Error {
  readonly code = 'PUBLIC_CODE_MAPPING_MISSING';
  constructor(readonly vocabulary: string) {
    super(`Vocabulary ${vocabulary} has no public name for a value that was met; add the value to its table.`);
  }
}

/** A field with a closed set of codes reached an operation without public names for its codes. */
export class FieldMappingMissing extends Error {
  readonly code = 'PUBLIC_FIELD_MAPPING_MISSING';
  constructor(readonly field: string) {
    super(`The codes of ${field} have no public names; give it a vocabulary, or 'same' where they are English words.`);
  }
}

/** Two internal codes with one public name fail to compile, because the reverse direction would be ambiguous. */
type Injective<T extends Record<string, string>> = {
  [K in keyof T]: T[K] extends T[Exclude<keyof T, K>] ? never : T[K];
};

/** One closed set of internal codes and their English public names. */
export interface Vocabulary<Internal extends string = string, Public extends string = string> {
  readonly name: string;
  readonly internalCodes: readonly Internal[];
  readonly publicCodes: readonly Public[];
  /** @throws CodeMappingMissing for a value that the table lacks. */
  toPublic(internal: string): Public;
  /** The internal code, or undefined for an unknown public name; the caller decides what that means. */
  toInternal(publicCode: string): Internal | undefined;
}

const declared: Vocabulary[] = [];

/** All declared vocabularies. */
export const allVocabularies = (): readonly Vocabulary[] => declared;

/** Declares a vocabulary from its one table; the reverse direction is derived. */
export const vocabulary = <const T extends Record<string, Uppercase<string>>>(
  name: string,
  table: T & Injective<T>,
): Vocabulary<keyof T & string, T[keyof T]> => {
  type Internal = keyof T & string;
  type Public = T[keyof T];
  const internalCodes = Object.keys(table) as Internal[];
  const forward = new Map<string, Public>(internalCodes.map((code) => [code, table[code]]));
  const backward = new Map<string, Internal>(internalCodes.map((code) => [table[code], code]));
  const made = Object.freeze({
    name,
    internalCodes,
    publicCodes: [...forward.values()],
    toPublic(internal: string): Public {
      const found = forward.get(internal);
      if (found === undefined) throw new CodeMappingMissing(name);
      return found;
    },
    toInternal: (publicCode: string): Internal | undefined => backward.get(publicCode),
  });
  declared.push(made);
  return made;
};

/**
 * The codes of the product among codes that groups choose. Codes of the table are translated, all others stay
 * unchanged. An internal code of the table is never a public one, so that both directions are reversible.
 */
export const among = ({ name, internalCodes, publicCodes, toPublic, toInternal }: Vocabulary): Vocabulary =>
  Object.freeze({
    ...{ name, internalCodes, publicCodes },
    toPublic: (internal: string): string => (internalCodes.includes(internal) ? toPublic(internal) : internal),
    toInternal: (code: string): string | undefined =>
      toInternal(code) ?? (internalCodes.includes(code) ? undefined : code),
  });
