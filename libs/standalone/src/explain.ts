import { explainDocuments, type ExplainRequest, type Explanation, verifyCredential } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, Scope } from '@acervo/rbac';

/** How a search of the owner of a key came about, under exactly what that key may see. @throws Unauthorized */
export const explainFor = async (calls: Calls, bearer: string, search: ExplainRequest): Promise<Explanation> => {
  const { claims, token } = await calls.send(verifyCredential, anonymous, { bearer });
  return calls.send(explainDocuments, new Scope(claims, token), search);
};
