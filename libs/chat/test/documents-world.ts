import {
  type Call,
  type DocumentCodes,
  filterDeletedDocuments,
  filterVisibleDocuments,
  type FoundDocument,
  getPrompts,
  listCatalog,
  listGroups,
  type ParameterValuesRequest,
  QuotaExceeded,
  readParameters,
  searchDocuments,
  type SearchRequest,
  type SearchResult,
} from '@acervo/contracts';
import type { AnyScope } from '@acervo/rbac';

const PARAMETERS: Readonly<Record<string, string>> = {
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
  retrievalsLeft = Infinity;
  /** The groups of the installation. */
  readonly groups: string[] = [];
  /** Runs during the search of a question, before its answer is written. */
  duringSearch = (): Promise<void> => Promise.resolve();

  reset(documents: Readonly<Record<string, string>> = {}): void {
    this.documents.clear();
    for (const [code, text] of Object.entries(documents)) this.documents.set(code, text);
    this.hidden.clear();
    this.parameters.clear();
    this.searches.length = 0;
    this.retrievalsLeft = Infinity;
    this.groups.length = 0;
    this.duringSearch = () => Promise.resolve();
  }

  async send<O extends object>({ code }: Call<object, O>, _scope: AnyScope, input: object): Promise<O> {
    const answers: Readonly<Record<string, () => object | Promise<object>>> = {
      [searchDocuments.code]: () => this.search(input as SearchRequest),
      [filterVisibleDocuments.code]: () => ({ codes: (input as DocumentCodes).codes.filter((one) => this.sees(one)) }),
      [filterDeletedDocuments.code]: () => ({
        codes: (input as DocumentCodes).codes.filter((one) => !this.documents.has(one)),
      }),
      [readParameters.code]: () => this.read(input as ParameterValuesRequest),
      [listCatalog.code]: () => ({ functions: [], skills: [], totalFunctions: 0, totalSkills: 0 }),
      [listGroups.code]: () => ({ groups: this.groups.map((groupId) => ({ groupId, code: 'G', first: false })) }),
      [getPrompts.code]: () => ({
        group: { code: 'G1', name: 'Regantes', systemPrompt: 'Trata de usted.' },
        entity: null,
      }),
    };
    const answer = answers[code];
    if (answer === undefined) throw new Error(`${code} has no answer.`);
    return (await answer()) as O;
  }

  private sees(code: string): boolean {
    return this.documents.has(code) && !this.hidden.has(code);
  }

  private async search(request: SearchRequest): Promise<SearchResult> {
    if (this.retrievalsLeft === 0) throw new QuotaExceeded();
    this.retrievalsLeft -= 1;
    this.searches.push(request);
    const documents = [...this.documents].filter(([code]) => this.sees(code)).map(([code, text]) => found(code, text));
    await this.duringSearch();
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
