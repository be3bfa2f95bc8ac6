import type { PromptLayer } from './prompt-layers';

/** The prompt of a group or of an entity; empty until it is written. */
export interface WrittenPrompt {
  readonly code: string;
  readonly systemPrompt: string;
}

type OrganizationLayer = PromptLayer & { readonly kind: 'GROUP' | 'ENTITY' };

const layerOf = (kind: OrganizationLayer['kind'], part: WrittenPrompt | null): OrganizationLayer[] =>
  part === null || part.systemPrompt.trim() === ''
    ? []
    : [{ kind, code: part.code, version: '1', text: part.systemPrompt }];

/** The layers that group and entity add to those of the product. */
export const organizationLayers = ({
  group,
  entity,
}: {
  readonly group: WrittenPrompt;
  readonly entity: WrittenPrompt | null;
}): readonly OrganizationLayer[] => [...layerOf('GROUP', group), ...layerOf('ENTITY', entity)];
