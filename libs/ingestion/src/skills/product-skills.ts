import { jsonSchemaOf, type Skill, SkillOutput } from '@acervo/contracts';
import type { StatementFinder } from './extraction/statement-draft';
import { findGlossary } from './extraction/glossary';
import { findKeyDates } from './extraction/key-dates';
import { findParties } from './extraction/parties';
import { findSummary } from './extraction/summary';

/** A skill of the product: what callers see of it, and what finds its statements. */
export interface ProductSkill extends Skill {
  readonly find: StatementFinder;
}

const quoting = { target: 'DOCUMENT', requiresModel: false } as const;
const outputSchema = jsonSchemaOf(SkillOutput, 'public');

/** By code. A version rises when its skill finds something else in the same text; a repeated run then makes its result again. */
const PRODUCT_SKILLS: readonly ProductSkill[] = [
  {
    ...{ ...quoting, outputSchema, code: 'DOCUMENT-SUMMARY', version: '1', find: findSummary },
    name: 'Resumen del documento',
    description: 'Las frases que mejor dicen de qué trata el documento, al pie de la letra.',
  },
  {
    ...{ ...quoting, outputSchema, code: 'GLOSSARY', version: '1', find: findGlossary },
    name: 'Glosario',
    description: 'Los términos que el documento define, cada uno con su definición.',
  },
  {
    ...{ ...quoting, outputSchema, code: 'KEY-DATES', version: '1', find: findKeyDates },
    name: 'Fechas clave',
    description: 'Las fechas del documento, cada una con la frase en la que figura.',
  },
  {
    ...{ ...quoting, outputSchema, code: 'PARTIES', version: '1', find: findParties },
    name: 'Partes',
    description: 'Las personas y entidades que el documento nombra como partes, y cómo las llama.',
  },
  {
    // What it finds in each document is reduced to one result of the space.
    ...{ ...quoting, outputSchema, target: 'SPACE', code: 'SPACE-DIGEST', version: '1', find: findSummary },
    name: 'Resumen del espacio',
    description: 'Lo que mejor dice de qué tratan los documentos de un espacio, al pie de la letra y con su origen.',
  },
];

/** What callers see, without what finds the statements. */
export const publishedSkills: readonly Skill[] = PRODUCT_SKILLS.map(({ find: _find, ...skill }) => skill);

/** The skill of a code; undefined for an unknown one. */
export const productSkill = (code: string): ProductSkill | undefined =>
  PRODUCT_SKILLS.find((skill) => skill.code === code);
