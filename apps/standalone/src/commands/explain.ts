import { explainDocuments, type ExplainRequest, type Explanation, verifyCredential } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import { anonymous, Scope } from '@acervo/rbac';

/** Explains a search with the access rights of the owner of the API key. @throws Unauthorized */
export const explainFor = async (calls: Calls, bearer: string, search: ExplainRequest): Promise<Explanation> => {
  const { claims, token } = await calls.send(verifyCredential, anonymous, { bearer });
  return calls.send(explainDocuments, new Scope(claims, token), search);
};
