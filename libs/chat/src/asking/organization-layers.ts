import { Injectable } from '@nestjs/common';
import { getPrompts, type OrganizationPrompt } from '@acervo/contracts';
import type { LayerKind, PromptLayer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { type Scope, WorkScope } from '@acervo/rbac';

const layerOf = (kind: LayerKind, part: OrganizationPrompt | null): PromptLayer[] =>
  part === null || part.systemPrompt.trim() === ''
    ? []
    : [{ kind, code: part.code, version: '1', text: part.systemPrompt }];

/** The prompts that group and entity add to those of the product. */
@Injectable()
export class OrganizationLayers {
  constructor(private readonly calls: Calls) {}

  async of({ groupId, activeEntity }: Scope): Promise<readonly PromptLayer[]> {
    const scope = new WorkScope(groupId, 'chat', 'question');
    const named = activeEntity === null ? {} : { entityCode: activeEntity };
    const { group, entity } = await this.calls.send(getPrompts, scope, named);
    return [...layerOf('GROUP', group), ...layerOf('ENTITY', entity)];
  }
}
