import {
  countContents,
  countSkillResults,
  decode,
  describeLocations,
  encode,
  ContentCounts,
  ContentCountRequest,
  KnownLocations,
  LocationCodes,
  SkillResultCounts,
} from '@acervo/contracts';
import type { CallServer, Dispatch } from '@acervo/platform-calls';

export interface Folder {
  readonly name: string;
  readonly entityCode: string;
  readonly documents: number;
}

/** Answers the calls of auth to ingestion from a list. The tests of ingestion cover its own answers. */
export class FolderRegister implements Pick<CallServer, 'dispatch'> {
  readonly folders = new Map<string, Folder>();
  /** Document types by entity. */
  readonly documentTypes = new Map<string, number>();
  /** Documents with results by skill; undefined while ingestion is away. */
  skillResults: readonly { readonly skillCode: string; readonly documents: number }[] | undefined;
  /** The names of the received calls, in order. */
  readonly asked: string[] = [];

  dispatch({ code, input }: Dispatch): Promise<Record<string, unknown>> {
    this.asked.push(code);
    if (code === describeLocations.code) return Promise.resolve(this.describe(input));
    if (code === countContents.code) return Promise.resolve(this.count(input));
    if (code === countSkillResults.code && this.skillResults !== undefined)
      return Promise.resolve(encode(SkillResultCounts, { skills: this.skillResults }));
    return Promise.reject(new Error(`${code} is unexpected.`));
  }

  private describe(input: unknown): Record<string, unknown> {
    const { codes } = decode(LocationCodes, input, { closed: true });
    const locations = codes.flatMap((code) => {
      const folder = this.folders.get(code);
      return folder === undefined ? [] : [{ code, name: folder.name, entityCode: folder.entityCode }];
    });
    return encode(KnownLocations, { locations });
  }

  private count(input: unknown): Record<string, unknown> {
    const { entityCode, locationCodes } = decode(ContentCountRequest, input, { closed: true });
    const counted = [...this.folders].filter(
      ([code, folder]) =>
        (entityCode === undefined || folder.entityCode === entityCode) && (locationCodes?.includes(code) ?? true),
    );
    const documents = counted.reduce((sum, [, folder]) => sum + folder.documents, 0);
    return encode(ContentCounts, {
      locations: counted.length,
      documents,
      documentTypes: this.documentTypes.get(entityCode ?? '') ?? 0,
    });
  }
}
