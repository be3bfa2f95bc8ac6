import { getPrompts, NotFound, type OrganizationPrompts } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';

/** The prompts of the group and an entity; of the group alone without an entity, or once it is deleted. */
export const organizationPrompts = async (
  calls: Calls,
  scope: WorkScope,
  entityCode: string | null,
): Promise<OrganizationPrompts> => {
  try {
    return await calls.send(getPrompts, scope, entityCode === null ? {} : { entityCode });
  } catch (error) {
    if (!(error instanceof NotFound) || entityCode === null) throw error;
    return calls.send(getPrompts, scope, {});
  }
};
