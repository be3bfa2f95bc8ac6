import {
  type Call,
  createDocumentType,
  listDocuments,
  registerFolder,
  type ScopeClaims,
  startRun,
} from '@acervo/contracts';
import { TaxonomyStore } from '../src/taxonomy/taxonomy.store';
import { Bench, newGroup } from './bench';

export type JsonObject = Record<string, unknown>;
export type Claims = Partial<ScopeClaims>;

/** A key of one entity, and the claims of two. */
export const FIXED: Claims = { isFixed: true, entities: ['E1'], activeEntity: 'E1' };
export const ALL: Claims = { entities: ['E1', 'E2'] };

/** Groups that describe their types, on one bench for the tests of a file. */
export class TaxonomyGroups {
  private opened: Bench | undefined;

  get bench(): Bench {
    if (this.opened === undefined) throw new Error('The bench opens before the first test.');
    return this.opened;
  }

  async open(): Promise<void> {
    this.opened = await Bench.open();
    this.opened.entities.push('E1', 'E2', 'E3');
  }

  /** One group, as its administrators use it. */
  readonly group = () => {
    const groupId = newGroup();
    const ask = (call: Call, input: JsonObject, claims: Claims = {}): Promise<JsonObject> =>
      this.bench.askAs(call, groupId, input, { authorizedAreaRoot: null, ...claims }, 'operations');
    const read = (call: Call, input: JsonObject, claims: Claims = {}): Promise<JsonObject> =>
      this.bench.askAs(call, groupId, input, claims);
    const outcome = (call: Call, input: JsonObject, claims: Claims = {}): Promise<unknown> =>
      ask(call, input, claims).then(
        () => 'done',
        (error: { code: string; details: JsonObject }) => [error.code, error.details['reason'] ?? null],
      );
    const type = (code: string, more: JsonObject = {}, claims: Claims = {}): Promise<JsonObject> =>
      ask(createDocumentType, { code, name: `Type ${code}`, ...more }, claims);
    const rows = (sql: string, params: readonly unknown[] = []): Promise<JsonObject[]> =>
      this.bench.database.write({ groupId }, (tx) => tx.query(sql, [groupId, ...params]));
    const version = async (): Promise<number> =>
      (await this.bench.database.read({ groupId }, (tx) => new TaxonomyStore().load(tx))).version;
    return { groupId, ask, read, outcome, type, rows, version };
  };

  /** A group with two entities of two documents each; answers their codes and ids by name. */
  readonly withDocuments = async () => {
    const place = this.group();
    for (const entity of ['E1', 'E2']) {
      const path = this.bench.folder(`${place.groupId}-${entity}`, {
        [`a${entity}.txt`]: 'Uno.',
        [`b${entity}.txt`]: 'Dos.',
      });
      const { location_code } = await this.bench.ask(registerFolder, place.groupId, { path, entity_code: entity });
      await this.bench.ask(startRun, place.groupId, { location_code });
    }
    const { documents } = await place.read(listDocuments, { limit: 100 }, ALL);
    const found = new Map((documents as { name: string; code: string }[]).map(({ name, code }) => [name, code]));
    const code = (name: string): string => found.get(`${name}.txt`) ?? `no ${name}`;
    const classify = async (name: string, typeCode: string): Promise<void> => {
      await place.rows(
        `insert into ingestion.document_class (group_id, document_id, content_hash, taxonomy_version, type_code)
         select group_id, document_id, 'x', 1, $3 from ingestion.document where group_id = $1 and code = $2`,
        [code(name), typeCode],
      );
    };
    const carry = async (name: string, category: string, feature: string, quote = 'Uno.'): Promise<void> => {
      await place.rows(
        `insert into ingestion.document_feature
           (group_id, document_id, category_code, code, source, confidence, page, start_at, end_at, quote)
         select group_id, document_id, $3, $4, 'RULE', 1, 2, 0, 4, $5 from ingestion.document
         where group_id = $1 and code = $2`,
        [code(name), category, feature, quote],
      );
    };
    return { ...place, code, classify, carry };
  };
}

/** Opens the bench before the tests of a file and closes it after them. */
export const taxonomyGroups = (): TaxonomyGroups => {
  const groups = new TaxonomyGroups();
  beforeAll(() => groups.open());
  afterAll(() => groups.bench.close());
  return groups;
};
