import { createHash } from 'node:crypto';
import type { AgentContext, AgentLayer, AgentProfile, OrganizationPrompts } from '@acervo/contracts';
import { composePrompt, type LayerKind, organizationLayers, type PromptLayer } from '@acervo/models/chat';
import { productPrompts } from './product-prompts';

/** The instructions of an agent, as its context has them. */
export type AgentPrompt = Pick<AgentContext, 'systemPrompt' | 'systemPromptHash' | 'layers'>;

/** SHA-256 of `[[code, sha256], …]` of the layers as JSON, so that a client recomputes it from the layers alone. */
export const layersHash = (layers: readonly AgentLayer[]): string =>
  createHash('sha256')
    .update(JSON.stringify(layers.map(({ code, sha256 }) => [code, sha256])), 'utf8')
    .digest('hex');

const ofProduct = (profile: AgentProfile): PromptLayer => {
  const { version, text } = productPrompts[profile];
  return { kind: 'PRODUCT', code: profile, version, text };
};

/** Joins the prompts of product, group and entity, in this order. Texts that are not written have no layer. */
export const agentPrompt = (profile: AgentProfile, prompts: OrganizationPrompts): AgentPrompt => {
  const product = ofProduct(profile);
  const { text, layers: records } = composePrompt([product, ...organizationLayers(prompts)]);
  const names: Partial<Record<LayerKind, string>> = {
    PRODUCT: `${profile}, version ${product.version}`,
    GROUP: prompts.group.name,
    ...(prompts.entity === null ? {} : { ENTITY: prompts.entity.name }),
  };
  const layers = records.map(({ kind, sha256 }) => ({ code: kind, name: names[kind] ?? '', sha256 }));
  return { systemPrompt: text, systemPromptHash: layersHash(layers), layers };
};
