import { Choice, Code, Flag, Fraction, Int, ListOf, Text } from '../fields';
import { operation } from '../operation';
import { DocumentReference } from './documents';

/** What a type or a feature was read from, to the letter. */
export class TextEvidence {
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Int({ description: 'Where it begins, in UTF-16 units of the extracted text' }) readonly startAt!: number;
  @Int({ description: 'Where it ends' }) readonly endAt!: number;
  @Text({ max: 4000, description: 'The text at that range, to the letter' }) readonly quote!: string;
}

export class EvidencedFeature extends TextEvidence {
  @Code({ description: 'Category of the feature' }) readonly categoryCode!: string;
  @Text({ max: 1024, description: 'Name of the category' }) readonly categoryName!: string;
  @Code({ description: 'Feature' }) readonly code!: string;
  @Text({ max: 1024, description: 'Name of the feature' }) readonly name!: string;
  @Choice(['ATTRIBUTE', 'CHARACTERISTIC'], {
    publicly: 'same',
    description: 'An attribute has a value; a characteristic is there or not',
  })
  readonly kind!: 'ATTRIBUTE' | 'CHARACTERISTIC';
  @Text({ max: 4000, nullable: true, description: 'Canonical value: an ISO date, a decimal number, an amount' })
  readonly value!: string | null;
  @Choice(['RULE', 'MODEL'], { publicly: 'same', description: 'What found it' }) readonly source!: 'RULE' | 'MODEL';
  @Fraction({ description: 'How sure it is' }) readonly confidence!: number;
}

export class DocumentFeatures {
  @Code({ description: 'Document code' }) readonly documentCode!: string;
  @Code({ nullable: true, description: 'Its type; null where it has none' }) readonly documentTypeCode!: string | null;
  @Choice(['RULE', 'SIMILARITY', 'MODEL'], { nullable: true, publicly: 'same', description: 'What decided its type' })
  readonly source!: 'RULE' | 'SIMILARITY' | 'MODEL' | null;
  @Fraction({ description: 'How well it fits its type' }) readonly score!: number;
  @Fraction({ description: 'Lead over the next type' }) readonly margin!: number;
  @Code({ nullable: true, description: 'The next type; null where no other fits' }) readonly runnerUp!: string | null;
  @Flag({ description: 'Its type may change once a vector of its title and opening exists' })
  readonly isProvisional!: boolean;
  @ListOf(() => TextEvidence, { max: 100, description: 'What speaks for its type' })
  readonly evidence!: readonly TextEvidence[];
  @ListOf(() => EvidencedFeature, { max: 1000, description: 'Its features, by category' })
  readonly features!: readonly EvidencedFeature[];
}

/** @throws NotFound */
export const getDocumentFeatures = operation({
  code: 'documents.get_features',
  owner: 'ingestion',
  callers: ['gateway', 'chat'],
  kind: 'read',
  profile: 'USUARIO',
  screens: ['DOCUMENTS'],
  summary: 'Show the type and the features of a document, and the text that each was read from.',
  input: DocumentReference,
  output: DocumentFeatures,
});
