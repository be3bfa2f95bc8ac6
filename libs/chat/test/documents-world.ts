import {
  admitModelCall,
  type Call,
  type DocumentCodes,
  Empty,
  encode,
  filterStoredDocuments,
  filterVisibleDocuments,
  type FoundDocument,
  getPrompts,
  listCatalog,
  listGroups,
  type ModelCall,
  type ParameterValuesRequest,
  QuotaExceeded,
  readParameters,
  refundRetrieval,
  revive,
  searchDocuments,
  type SearchRequest,
  type SearchResult,
} from '@acervo/contracts';
import type { Dispatch, SendOptions } from '@acervo/platform-calls';
import type { AnyScope } from '@acervo/rbac';

const PARAMETERS: Readonly<Record<string, string>> = {
  LANGUAGE: 'es',
  HELP_ENABLED: 'true',
  ANSWER_DOCUMENTS: '10',
  ANSWER_SIMILARITY: '0',
  CHAT_MODEL_ALLOWED: 'false',
  CONVERSATION_RETENTION_DAYS: '0',
};

const found = (code: string, text: string): FoundDocument => ({
  ...{ code, name: `${code}.txt`, summary: '', location: `/${code}.txt`, url: `https://acervo.test/app/${code}` },
  ...{ rrfScore: 0.03, maxSimilarity: null, rerankScore: null },
  chunks: [{ text, page: null, extra: { similarity: null, chunkNumber: 0 } }],
  fs: {
    ...{ homeVar: null, relativePath: `${code}.txt`, path: `/${code}.txt`, origin: 'CARPETA' },
    ...{ isAbsolute: false, isPublicUrl: false, isCloudOnly: false },
  },
});

/** The neighbours of chat: documents that a caller sees, and the parameters of its group. */
export class DocumentsWorld {
  readonly documents = new Map<string, string>();
  /** Documents that callers see no longer. */
  readonly hidden = new Set<string>();
  readonly parameters = new Map<string, string>();
  readonly searches: SearchRequest[] = [];
  /** What the service sent to its neighbours. */
  readonly sent: { readonly code: string; readonly scope: AnyScope; readonly input: object }[] = [];
  /** Answers of further calls, by code; an error is thrown. */
  readonly answers = new Map<string, (input: object) => object | Promise<object>>();
  /** Retrievals that were refunded. */
  refunds = 0;
  retrievalsLeft = Infinity;
  /** Calls of the chat model that were admitted, or refused. */
  readonly modelCalls: ModelCall[] = [];
  /** Whether the plan has tokens left; undefined where operations does not answer. */
  hasTokens: boolean | undefined = true;
  /** Whether documents are found without their address, as no search answers. */
  isDamaged = false;
  /** Answers the calls that the service sends to itself. */
  dispatchToChat: (sent: Dispatch) => Promise<object> = () =>
    Promise.reject(new Error('The service answers no call here.'));
  /** What a search waits for once it has found its documents. */
  untilSearched: () => Promise<void> = () => Promise.resolve();
  /** The groups of the installation. */
  readonly groups: string[] = [];

  reset(documents: Readonly<Record<string, string>> = {}): void {
    this.documents.clear();
    for (const [code, text] of Object.entries(documents)) this.documents.set(code, text);
    this.hidden.clear();
    this.parameters.clear();
    this.searches.length = 0;
    this.sent.length = 0;
    this.answers.clear();
    this.groups.length = 0;
    this.modelCalls.length = 0;
    Object.assign(this, {
      hasTokens: true,
      retrievalsLeft: Infinity,
      refunds: 0,
      isDamaged: false,
      untilSearched: () => Promise.resolve(),
    });
  }

  async send<O extends object>(
    call: Call<object, O>,
    scope: AnyScope,
    input: object,
    { idempotencyKey }: SendOptions = {},
  ): Promise<O> {
    const { code, owner } = call;
    if (owner === 'chat') {
      const sent = { code, caller: 'chat', scope, input: encode(call.input, input), idempotencyKey } as const;
      return revive(call.output, await this.dispatchToChat(sent));
    }
    this.sent.push({ code, scope, input });
    const prepared = this.answers.get(code);
    const { [code]: usual } = this.answersTo(input);
    const answer = prepared === undefined ? usual : () => prepared(input);
    if (answer === undefined) throw new Error(`${code} has no answer.`);
    const answered = (await answer()) as O;
    if (code === searchDocuments.code) await this.untilSearched();
    return answered;
  }

  private answersTo(input: object): Readonly<Record<string, () => object | Promise<object>>> {
    return {
      [searchDocuments.code]: () => this.search(input as SearchRequest),
      [refundRetrieval.code]: () => {
        this.refunds += 1;
        return new Empty();
      },
      [admitModelCall.code]: () => {
        if (this.hasTokens === undefined) throw new Error('Operations does not answer.');
        this.modelCalls.push(input as ModelCall);
        return { isAdmitted: this.hasTokens };
      },
      [filterVisibleDocuments.code]: () => ({ codes: (input as DocumentCodes).codes.filter((one) => this.sees(one)) }),
      [filterStoredDocuments.code]: () => ({
        codes: (input as DocumentCodes).codes.filter((one) => this.documents.has(one)),
      }),
      [readParameters.code]: () => this.read(input as ParameterValuesRequest),
      [listCatalog.code]: () => ({ functions: [], skills: [], totalFunctions: 0, totalSkills: 0 }),
      [listGroups.code]: () => ({ groups: this.groups.map((groupId) => ({ groupId, code: 'G', first: false })) }),
      [getPrompts.code]: () => ({
        group: { code: 'G1', name: 'Regantes', systemPrompt: 'Trata de usted.' },
        entity: null,
      }),
    };
  }

  private sees(code: string): boolean {
    return this.documents.has(code) && !this.hidden.has(code);
  }

  private search(request: SearchRequest): SearchResult {
    if (this.retrievalsLeft === 0) throw new QuotaExceeded();
    this.retrievalsLeft -= 1;
    this.searches.push(request);
    const documents = [...this.documents].filter(([code]) => this.sees(code)).map(([code, text]) => found(code, text));
    if (this.isDamaged) for (const document of documents) Reflect.deleteProperty(document, 'url');
    return { documents, totalDocuments: documents.length, totalChunks: documents.length, durationMs: 1 };
  }

  private read({ parameterCodes }: ParameterValuesRequest): object {
    const values = parameterCodes.map((parameterCode) => ({
      parameterCode,
      value: this.parameters.get(parameterCode) ?? PARAMETERS[parameterCode] ?? null,
    }));
    return { values };
  }
}
