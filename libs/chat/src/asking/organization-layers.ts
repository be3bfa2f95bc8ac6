import { Injectable } from '@nestjs/common';
import { getPrompts } from '@acervo/contracts';
import { organizationLayers, type PromptLayer } from '@acervo/models/chat';
import { Calls } from '@acervo/platform-calls';
import { type Scope, WorkScope } from '@acervo/rbac';

/** The prompts that group and entity add to those of the product. */
@Injectable()
export class OrganizationLayers {
  constructor(private readonly calls: Calls) {}

  async of({ groupId, activeEntity }: Scope): Promise<readonly PromptLayer[]> {
    const scope = new WorkScope(groupId, 'chat', 'question');
    const named = activeEntity === null ? {} : { entityCode: activeEntity };
    return organizationLayers(await this.calls.send(getPrompts, scope, named));
  }
}
