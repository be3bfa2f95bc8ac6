import type { PublishedCodes } from '../document-state/document-events';
import type { TypeTree } from '../taxonomy/type-tree';
import type { FoundFeature, TypeDecision } from './classified';
import type { Taxonomy } from '../taxonomy/taxonomy';

export const NO_CODES: PublishedCodes = { typeCodes: [], attributes: [], characteristics: [] };

/** What classification found out about a document, at one version of the taxonomy. */
export interface Classification {
  /** 0 where the group had no taxonomy. */
  readonly taxonomyVersion: number;
  /** Whether the group described types; a document of a group without them has no rows. */
  readonly hasTypes: boolean;
  readonly contentHash: string;
  readonly decision: TypeDecision;
  readonly features: readonly FoundFeature[];
  /** The types that rules and similarity leave to a model. */
  readonly candidates: readonly string[];
  /** Whether it is decided again once the vector of its title and opening exists. */
  readonly awaitsVector: boolean;
  readonly codes: PublishedCodes;
}

const sorted = (codes: readonly string[]): readonly string[] => [...new Set(codes)].sort();

/** The codes of a document with a type and features. */
export const codesOf = (
  { categories }: Pick<Taxonomy, 'categories'>,
  tree: TypeTree,
  typeCode: string | null,
  features: readonly FoundFeature[],
): PublishedCodes => {
  const kinds = new Map(categories.map(({ code, kind }) => [code, kind]));
  const ofKind = (wanted: string): readonly string[] =>
    sorted(features.filter(({ categoryCode }) => kinds.get(categoryCode) === wanted).map(({ code }) => code));
  return {
    typeCodes: typeCode === null ? [] : tree.upwards(typeCode).toReversed(),
    attributes: ofKind('ATTRIBUTE'),
    characteristics: ofKind('CHARACTERISTIC'),
  };
};

/**
 * Whether a vector could change a decision: rules decide for themselves, and similarity needs a description to compare
 * with.
 */
export const needsVector = ({ types }: Pick<Taxonomy, 'types'>, { source }: TypeDecision): boolean =>
  source !== 'RULE' &&
  types.some(
    ({ boundary: { includes, excludes, examples } }) => `${includes}${excludes}` !== '' || examples.length > 0,
  );
