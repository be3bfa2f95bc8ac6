import { createHash } from 'node:crypto';
import type {
  AgentContext,
  AgentLayer,
  AgentProfile,
  OrganizationPrompt,
  OrganizationPrompts,
} from '@acervo/contracts';
import { composePrompt, type LayerKind, type PromptLayer } from '@acervo/models/chat';
import { productPrompts } from './product-prompts';

/** The instructions of an agent, as its context has them. */
export type AgentPrompt = Pick<AgentContext, 'systemPrompt' | 'systemPromptHash' | 'layers'>;

type Named = PromptLayer & { readonly name: string };

/** SHA-256 of `[[code, sha256], …]` of the layers as JSON, so that a client recomputes it from the layers alone. */
export const layersHash = (layers: readonly AgentLayer[]): string =>
  createHash('sha256')
    .update(JSON.stringify(layers.map(({ code, sha256 }) => [code, sha256])), 'utf8')
    .digest('hex');

const ofProduct = (profile: AgentProfile): Named => {
  const { version, text } = productPrompts[profile];
  return { kind: 'PRODUCT', code: profile, version, text, name: `${profile}, version ${version}` };
};

const ofOrganization = (kind: LayerKind, part: OrganizationPrompt | null): Named[] =>
  part === null || part.systemPrompt.trim() === ''
    ? []
    : [{ kind, code: part.code, version: '1', text: part.systemPrompt, name: part.name }];

/** Joins the prompts of product, group and entity, in this order. Texts that are not written have no layer. */
export const agentPrompt = (profile: AgentProfile, { group, entity }: OrganizationPrompts): AgentPrompt => {
  const parts = [ofProduct(profile), ...ofOrganization('GROUP', group), ...ofOrganization('ENTITY', entity)];
  const { text, layers: records } = composePrompt(parts);
  const layers = records.map(({ kind, sha256 }) => {
    const name = parts.find((part) => part.kind === kind)?.name ?? '';
    return { code: kind, name, sha256 };
  });
  return { systemPrompt: text, systemPromptHash: layersHash(layers), layers };
};
