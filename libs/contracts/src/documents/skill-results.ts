import { Code, Int, ListOf, Moment, Text, Uuid } from '../fields';

/** Statements of one result of a skill. */
export const MOST_STATEMENTS = 40;
/** Characters of a statement, and of a quote. */
export const LONGEST_STATEMENT = 1_000;

/** Where a statement stands in a document, to the letter. */
export class Citation {
  @Code({ description: 'Document' }) readonly documentCode!: string;
  @Int({ min: 1, nullable: true, description: 'Page, null when the source has no pages' }) readonly page!:
    number | null;
  @Int({ description: 'Where it begins, in UTF-16 units of the extracted text' }) readonly startAt!: number;
  @Int({ description: 'Where it ends' }) readonly endAt!: number;
  @Text({ max: LONGEST_STATEMENT, description: 'The text at that range, to the letter' }) readonly quote!: string;
}

/** One statement with what it rests on. */
export class SkillStatement {
  @Text({ max: LONGEST_STATEMENT, description: 'The statement' }) readonly text!: string;
  @Text({
    max: LONGEST_STATEMENT,
    nullable: true,
    description: 'What it is about: a date in ISO 8601, the name of a party, a term; null in a summary',
  })
  readonly value!: string | null;
  @Text({ max: 200, nullable: true, description: 'What the document calls it, such as the role of a party' })
  readonly label!: string | null;
  @ListOf(() => Citation, { max: 20, description: 'Where it stands; at least one place' })
  readonly citations!: readonly Citation[];
}

/** What a skill answers, whatever it looks for. */
export class SkillOutput {
  @ListOf(() => SkillStatement, { max: MOST_STATEMENTS, description: 'Statements in the order of the text' })
  readonly statements!: readonly SkillStatement[];
  @Int({ description: 'Statements that were dropped because their quote does not stand in the text' })
  readonly dropped!: number;
  @Int({ description: 'Further statements, which are left out: the text has more than a result lists' })
  readonly omitted!: number;
}

/** What a result was made of: a document as it was then. */
export class DerivedFrom {
  @Code({ description: 'Document' }) readonly documentCode!: string;
  @Int({ min: 1, description: 'Its revision when the result was made' }) readonly revision!: number;
}

/** What a skill found in the present content of a document. */
export class SkillResult extends SkillOutput {
  @Code({ description: 'Skill' }) readonly skillCode!: string;
  @Text({ max: 40, description: 'Version of the skill that made it' }) readonly version!: string;
  @Uuid({ description: 'The run that asked for it last' }) readonly runId!: string;
  @Moment({ description: 'When it was made' }) readonly createdAt!: string;
}
