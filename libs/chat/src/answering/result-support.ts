import type { LanguageCode } from '@acervo/analysis';
import type { NamedDocument, ResultRecord } from './result-records';
import type { OperationResult } from './sources';
import { type AnalysedText, analyse } from './support/analysed-text';
import { isSameLiteral } from './support/literal-match';
import type { Literal } from './support/literals';
import { hasTerm, type Term } from './support/terms';
import type { WordForms } from './support/word-forms';

/** Words that report a result and state nothing of it; folded. */
const REPORTING = new Set(
  `existe existen encuentra encuentran figura figuran aparece aparecen siguiente siguientes actual actualmente ahora
   total totales resultado exist exists following currently now found listed appear appears result overall`
    .trim()
    .split(/\s+/),
);

interface Cell {
  readonly name: AnalysedText;
  readonly value: AnalysedText;
}

interface Analysed {
  readonly record: ResultRecord;
  readonly cells: readonly Cell[];
}

/** What supports a sentence in a result. */
export interface ResultSupport {
  readonly quote: string;
  readonly documents: readonly NamedDocument[];
  /** Whether a quoted record names no document, so that the visibility of documents does not decide who may read it. */
  readonly statesRecords: boolean;
}

/** A sentence about more documents is not kept: its reader must see all of them. */
const MOST_DOCUMENTS = 10;

const hasLiteral = ({ value }: Cell, literal: Literal): boolean =>
  value.literals.some((other) => isSameLiteral(literal, other, value));
const hasValue = ({ cells }: Analysed, term: Term): boolean => cells.some(({ value }) => hasTerm(value.keys, term));
const hasAll = ({ cells }: Analysed, terms: readonly Term[]): boolean =>
  terms.every((term) => cells.some(({ name, value }) => hasTerm(name.keys, term) || hasTerm(value.keys, term)));
const hasOneValue = ({ cells, record }: Analysed, terms: readonly Term[], column?: string): boolean =>
  cells.some(
    ({ value }, place) =>
      (column === undefined || record.cells[place]?.name === column) &&
      terms.every((term) => hasTerm(value.keys, term)),
  );

/**
 * Whether a sentence says which value of a record a literal is: it has a word of the value's name, unless that says no
 * more than `total` and nothing else is of its kind.
 */
const namesCell = (keys: ReadonlySet<string>, { cells }: Analysed, literal: Literal): boolean =>
  cells.some((cell) => {
    if (!hasLiteral(cell, literal)) return false;
    // A code identifies its record, whatever the sentence calls it.
    if (literal.kind === 'identifier') return true;
    const rivals = cells.filter(
      (each) => each !== cell && each.value.literals.some(({ kind }) => kind === literal.kind),
    );
    const distinctive = cell.name.terms.filter((term) => !rivals.some(({ name }) => hasTerm(name.keys, term)));
    const telling = distinctive.filter(({ folded }) => !REPORTING.has(folded));
    if (telling.length > 0) return telling.some((term) => hasTerm(keys, term));
    return distinctive.length > 0 && !rivals.some(({ name }) => name.terms.some((term) => hasTerm(keys, term)));
  });

/** Whether a sentence says which of several records it means: it has a value of it. */
const namesRecord = ({ terms, literals }: AnalysedText, { cells, record }: Analysed): boolean =>
  !record.isItem ||
  cells.some(
    (cell) =>
      terms.some((term) => hasTerm(cell.value.keys, term)) ||
      literals.some((literal) => literal.kind === 'identifier' && hasLiteral(cell, literal)),
  );

/** Whether records state each side of opposites that a sentence takes: `more than` is a word of no value. */
const statesSides = ({ sides }: AnalysedText, found: readonly Analysed[]): boolean => {
  const stated = found.flatMap(({ cells }) => cells.flatMap(({ name, value }) => [name.sides, value.sides]));
  return [...sides].every(([group, taken]) =>
    [...taken].every((side) => stated.some((each) => each.get(group)?.has(side) === true)),
  );
};

/** A result, analysed once for all sentences that cite it. */
export class ResultIndex {
  private readonly header: ReadonlySet<string>;
  private readonly records: readonly Analysed[];

  /** @param language that of the sentences */
  constructor(
    { operation, summary, records }: OperationResult,
    private readonly language: LanguageCode,
    private readonly forms: WordForms,
  ) {
    this.header = this.analysed(`${operation.replaceAll(/[._]/g, ' ')} ${summary}`).keys;
    this.records = records.map((record) => ({
      record,
      cells: record.cells.map(({ name, value }) => ({ name: this.analysed(name), value: this.analysed(value) })),
    }));
  }

  /**
   * What of the result states a sentence; undefined where a word, number or name of it is not a value or a name there,
   * or belongs to another record. Denials and bounds (`at most 5`) are never supported: a result states what is.
   */
  supportOf(text: string): ResultSupport | undefined {
    const sentence = this.analysed(text);
    if (sentence.negations.length > 0) return undefined;
    const terms = sentence.terms.filter(({ folded }) => !REPORTING.has(folded));
    const words = terms.filter((term) => !hasTerm(this.header, term));
    const names = sentence.names
      .map(({ places }) => words.filter(({ at }) => places.includes(at)))
      .filter((name) => name.length > 0);
    const hasValues = terms.some((term) => this.records.some((each) => hasValue(each, term)));
    if (!hasValues && sentence.literals.length === 0) return undefined;
    const listed = names.length > 1 && sentence.literals.length === 0 ? this.eachRecord(names, words) : [];
    const found = listed.length > 0 ? listed : this.oneRecord(sentence, words, names);
    return statesSides(sentence, found) ? quoteOf(found) : undefined;
  }

  /** The record that has every literal and every word of a sentence. */
  private oneRecord(
    sentence: AnalysedText,
    words: readonly Term[],
    names: readonly (readonly Term[])[],
  ): readonly Analysed[] {
    return this.records
      .filter(
        (each) =>
          namesRecord(sentence, each) &&
          sentence.literals.every((literal) => namesCell(sentence.keys, each, literal)) &&
          names.every((name) => hasOneValue(each, name)) &&
          hasAll(each, words),
      )
      .slice(0, 1);
  }

  /** The records that a sentence lists by values of one name, where what else it says is true of each of them. */
  private eachRecord(names: readonly (readonly Term[])[], words: readonly Term[]): readonly Analysed[] {
    const others = words.filter((term) => !names.flat().includes(term));
    const columns = new Set(this.records.flatMap(({ record }) => record.cells.map(({ name }) => name)));
    for (const column of columns) {
      const found = names.map((name) =>
        this.records.find((each) => hasOneValue(each, name, column) && hasAll(each, others)),
      );
      if (found.every((each) => each !== undefined)) return [...new Set(found)];
    }
    return [];
  }

  private analysed(text: string): AnalysedText {
    const languages = [this.language, 'en', 'es'] as const;
    return analyse(text, languages, this.forms);
  }
}

const quoteOf = (found: readonly Analysed[]): ResultSupport | undefined => {
  const documents = new Map(
    found.flatMap(({ record }) => record.documents).map((document) => [document.documentCode, document]),
  );
  if (found.length === 0 || documents.size > MOST_DOCUMENTS) return undefined;
  const lines = found.map(({ record }) => record.cells.map(({ name, value }) => `${name}: ${value}`).join('; '));
  const statesRecords = found.some(({ record }) => record.documents.length === 0);
  return { quote: lines.join('\n'), documents: [...documents.values()], statesRecords };
};
