import {
  admitModelCall,
  type Call,
  countAreaLinks,
  countSpacesNaming,
  type DomainError,
  entityReach,
  getEntity,
  getPrompts,
  type InventoryDocument,
  listInventory,
  listSpaceDocuments,
  NotFound,
  type ParameterValuesRequest,
  readParameters,
  readWebToken,
  spaceExists,
  type WebToken,
} from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';

/**
 * The other services, as a test sets them. While retrieval is away, comparisons with it wait; it counts spaces all the
 * same.
 */
export class Neighbours {
  /** Areas that are linked to folders. */
  areaLinks = 0;
  /** Entities that auth knows beside those of a scope. */
  readonly entities: string[] = [];
  /** What retrieval has of documents; undefined while it is away. */
  inventory: readonly InventoryDocument[] | undefined;
  /** The number of spaces whose criteria name anything, and the codes that retrieval was asked about. */
  namingSpaces = 0;
  readonly askedNames: object[] = [];
  /** The documents of every space; undefined for spaces that the caller does not see. */
  spaceDocuments: readonly string[] | undefined;
  /** The codes of the calls that the service sent to others. */
  readonly sent: string[] = [];
  /** What auth refuses parameters, prompts and the token of the web with; undefined while it answers. */
  refusal: DomainError | undefined;
  /** An entity that auth no longer has. */
  deletedEntity: string | undefined;
  /** Whether the plan of every group has tokens for a model. */
  hasTokens = true;
  /** What auth says about the token of the web. */
  webToken: WebToken = { host: null, token: null };
  /** Parameters that groups have set, and the prompts of every group and entity. */
  readonly parameters = new Map<string, string>();
  readonly prompts = { group: '', entity: '' };

  protected calls(): Calls {
    return {
      send: async <I extends object, O extends object>({ code }: Call<I, O>, _scope: unknown, input: I): Promise<O> => {
        this.sent.push(code);
        return (await this.answerTo(code, input)) as O;
      },
    };
  }

  private answerTo(code: string, input: object): unknown {
    if (code === countAreaLinks.code) return { areas: this.areaLinks };
    if (code === listInventory.code && this.inventory !== undefined)
      return { documents: this.inventory, hasMore: false, copiesUnread: false, space: [] };
    if (code === countSpacesNaming.code) {
      this.askedNames.push(input);
      return { spaces: this.namingSpaces };
    }
    if (this.refusal !== undefined && [readParameters.code, getPrompts.code, readWebToken.code].includes(code))
      throw this.refusal;
    if (code === readParameters.code) return this.parametersOf(input);
    if (code === readWebToken.code) return this.webToken;
    if (code === admitModelCall.code) return { isAdmitted: this.hasTokens };
    if (code === getPrompts.code) return this.promptsOf(input);
    if (code === spaceExists.code) return { exists: this.spaceDocuments !== undefined };
    if (code === listSpaceDocuments.code) return this.membersOf(input);
    return this.entityOf(code, input);
  }

  /** Callers of the bench have the entities that auth knows, whole. */
  private entityOf(code: string, input: object): object {
    if (code !== getEntity.code && code !== entityReach.code) throw new Error('No handler answers.');
    const entity: unknown = Reflect.get(input, 'entityCode');
    if (!this.entities.includes(String(entity))) throw new NotFound();
    return code === entityReach.code ? { locationRoots: null } : { code: entity, name: entity, hasAreas: false };
  }

  private parametersOf(input: object): object {
    const { parameterCodes } = input as ParameterValuesRequest;
    return {
      values: parameterCodes.map((parameterCode) => ({
        parameterCode,
        value: this.parameters.get(parameterCode) ?? null,
        ...(this.parameters.has(parameterCode) ? { setAt: '2026-11-26T10:00:00.000Z' } : {}),
      })),
    };
  }

  private promptsOf(input: object): object {
    if ('entityCode' in input && input.entityCode === this.deletedEntity) throw new NotFound();
    const { group, entity } = this.prompts;
    return {
      group: { code: 'G1', name: 'Group', systemPrompt: group },
      entity: 'entityCode' in input ? { code: 'E1', name: 'Entity', systemPrompt: entity } : null,
    };
  }

  /** One document a page, so that callers have to ask for the next one. */
  private membersOf({ cursor }: { readonly cursor?: string }): object {
    if (this.spaceDocuments === undefined) throw new NotFound();
    const at = Number(cursor ?? 0);
    const documents = this.spaceDocuments.slice(at, at + 1).map((code) => ({ code }));
    const total = this.spaceDocuments.length;
    return { documents, total, nextCursor: at + 1 < total ? String(at + 1) : null };
  }
}
