import { Choice, Code, ListOf, Text } from '../fields';
import { operation } from '../operation';
import { LocationReference } from './location-pages';

export const acquisitionSkills = ['ACQUISITION-FOLDER', 'ACQUISITION-WEB'] as const;
export type AcquisitionSkillCode = (typeof acquisitionSkills)[number];
export const promptLayerKinds = ['PRODUCT', 'GROUP', 'ENTITY', 'SKILL'] as const;

export class AcquisitionSkillRequest extends LocationReference {
  @Choice(acquisitionSkills, {
    publicly: 'same',
    optional: true,
    description: 'What is acquired: files of the folder, which is the default, or pages of the web for it',
  })
  readonly acquisition?: AcquisitionSkillCode;
}

/** One part of a prompt. */
export class PromptLayerItem {
  @Choice(promptLayerKinds, { publicly: 'same', description: 'Whose text it is' })
  readonly kind!: (typeof promptLayerKinds)[number];
  @Code({ description: 'Code of the text of the product, of the group or of the entity' }) readonly code!: string;
  @Text({ max: 40, description: 'Version of the text' }) readonly version!: string;
  @Text({ max: 64, description: 'SHA-256 of the text in UTF-8, in hexadecimal digits' }) readonly sha256!: string;
  @Text({ max: 100_000, description: 'The text' }) readonly text!: string;
}

/** The instructions by which documents of a folder are acquired, as they are in effect now. */
export class AcquisitionSkill extends LocationReference {
  @Choice(acquisitionSkills, { publicly: 'same', description: 'The skill' })
  readonly acquisition!: AcquisitionSkillCode;
  @ListOf(() => PromptLayerItem, { max: 10, description: 'Its layers, in their order' })
  readonly layers!: readonly PromptLayerItem[];
  @Text({ max: 500_000, description: 'The layers as one text' }) readonly prompt!: string;
  @Text({
    max: 64,
    description: 'SHA-256 of [[kind, code, version, sha256], …] of the layers as JSON, in hexadecimal digits',
  })
  readonly promptHash!: string;
}

/** @throws NotFound for a folder that the caller does not see */
export const getAcquisitionSkill = operation({
  owner: 'ingestion',
  code: 'locations.get_acquisition_skill',
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['DOC_LOCATIONS'],
  summary: 'Show the instructions by which documents of a folder are acquired, layer by layer.',
  input: AcquisitionSkillRequest,
  output: AcquisitionSkill,
});
