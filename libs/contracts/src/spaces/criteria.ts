import { documentStatus, type DocumentStatus } from '@acervo/public-mapping';
import { Fraction, Int, Meaningful, Moment, OneOf, Text, TextList } from '../fields';

/** The longest list of codes of a criterion. */
const CODES = { max: 100, length: 120, optional: true } as const;
/** Most documents that the query of a criterion gathers. */
export const MOST_QUERIED_DOCUMENTS = 5_000;

/**
 * What the documents of a space have in common. A document fulfils each criterion that is given; of the codes of a list
 * it carries any. At least one criterion is given. An unknown code matches nothing.
 */
export class SpaceCriteria {
  @TextList({ ...CODES, description: 'Codes of document types, any of them; a type includes the types below it' })
  readonly documentTypes?: readonly string[];
  @TextList({ ...CODES, description: 'Codes of features with a value, any of them' })
  readonly attributes?: readonly string[];
  @TextList({ ...CODES, description: 'Codes of features without a value, any of them' })
  readonly characteristics?: readonly string[];
  @TextList({
    ...CODES,
    names: 'location',
    description: 'Codes of folders, any of them; a folder includes those below',
  })
  readonly locationCodes?: readonly string[];
  @OneOf(documentStatus, {
    optional: true,
    description: 'State of the document as searches see it: CHUNKED or VECTORIZED; no other state is searchable',
  })
  readonly status?: DocumentStatus;
  @Text({
    min: 1,
    max: 200,
    optional: true,
    description: 'Pattern of the whole name: * stands for any characters, ? for one; case does not matter',
  })
  readonly name?: string;
  @Text({
    min: 1,
    max: 400,
    optional: true,
    description: 'Pattern of the whole logical path: ** stands for any characters, * and ? for those within a folder',
  })
  readonly path?: string;
  @Moment({ optional: true, description: 'Only documents whose content was seen to change at this moment or later' })
  readonly changedSince?: string;
  @Text({ min: 2, max: 12, optional: true, description: 'Language of the text, as documents show it' })
  readonly language?: string;
  @Meaningful({
    max: 4_000,
    optional: true,
    description: 'Only the best documents of this search, as the user who refreshes the space finds them; AREA only',
  })
  readonly query?: string;
  @Fraction({ optional: true, description: 'Least vector similarity of the best chunk; goes with a query' })
  readonly minSimilarity?: number;
  @Int({
    min: 1,
    max: MOST_QUERIED_DOCUMENTS,
    optional: true,
    description: 'Most documents of the query, 1,000 without it; goes with a query',
  })
  readonly queryLimit?: number;
}
