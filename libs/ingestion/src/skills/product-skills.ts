import { jsonSchemaOf, type Skill, type SkillCode, SkillOutput } from '@acervo/contracts';
import type { StatementFinder } from './extraction/statement-draft';
import { findGlossary } from './extraction/glossary';
import { findKeyDates } from './extraction/key-dates';
import { findParties } from './extraction/parties';
import { findSummary } from './extraction/summary';
import type { ValueKind } from './model/cite-answers';

/** A skill of the product: what callers see of it, and what finds its statements. */
export interface ProductSkill extends Skill {
  readonly code: SkillCode;
  /** Finds statements without a model; absent where the skill needs one. */
  readonly find?: StatementFinder;
  /** What `value` of a statement is, where a model finds it. */
  readonly kind: ValueKind;
  /** Rises with each change of its prompt. */
  readonly promptVersion: string;
}

const outputSchema = jsonSchemaOf(SkillOutput, 'public');
const ofDocument = { target: 'DOCUMENT', outputSchema, promptVersion: '1' } as const;
const quoting = { ...ofDocument, requiresModel: false } as const;

/** The skills that callers run, by code. A version rises when its skill finds something else in the same text; a repeated run then makes its result again. */
export const productSkills: readonly ProductSkill[] = [
  {
    ...{ ...quoting, code: 'DOCUMENT-SUMMARY', version: '2', kind: 'none', find: findSummary },
    name: 'Resumen del documento',
    description: 'Las frases que mejor dicen de qué trata el documento, al pie de la letra.',
  },
  {
    ...{ ...quoting, code: 'GLOSSARY', version: '1', kind: 'words', find: findGlossary },
    name: 'Glosario',
    description: 'Los términos que el documento define, cada uno con su definición.',
  },
  {
    ...{ ...quoting, code: 'KEY-DATES', version: '1', kind: 'date', find: findKeyDates },
    name: 'Fechas clave',
    description: 'Las fechas del documento, cada una con la frase en la que figura.',
  },
  {
    ...{ ...ofDocument, requiresModel: true, code: 'OBLIGATIONS', version: '1', kind: 'optional' },
    name: 'Obligaciones',
    description: 'Lo que cada parte debe hacer, pagar o dejar de hacer, con la frase que lo establece.',
  },
  {
    ...{ ...quoting, code: 'PARTIES', version: '1', kind: 'words', find: findParties },
    name: 'Partes',
    description: 'Las personas y entidades que el documento nombra como partes, y cómo las llama.',
  },
  {
    // What it finds in each document is reduced to one result of the space.
    ...{ ...quoting, target: 'SPACE', code: 'SPACE-DIGEST', version: '3', kind: 'none', find: findSummary },
    name: 'Resumen del espacio',
    description: 'Lo que mejor dice de qué tratan los documentos de un espacio, al pie de la letra y con su origen.',
  },
];

/** What callers see, without what finds the statements. */
export const published = ({ find: _find, promptVersion: _promptVersion, kind: _kind, ...skill }: ProductSkill): Skill =>
  skill;

/** The skill of a code; undefined for an unknown one. */
export const productSkill = (code: string): ProductSkill | undefined =>
  productSkills.find((skill) => skill.code === code);

/** Another release queued its run. */
class UnknownSkill extends Error {
  constructor() {
    super('The skill is not one of this version of the product; finish its update.');
    this.name = 'UnknownSkill';
  }
}

/**
 * The skill of a run. A process of another release may know one that this one does not: the try counts, and the next one
 * comes later.
 * @throws UnknownSkill
 */
export const knownSkill = (code: string): ProductSkill => {
  const skill = productSkill(code);
  if (skill === undefined) throw new UnknownSkill();
  return skill;
};
