import { randomUUID } from 'node:crypto';
import {
  provisionFirstGroup,
  type ProvisionedGroup,
  ScopeClaims,
  verifyCredential,
  type VerifiedScope,
} from '@acervo/contracts';
import { HASHING } from '@acervo/models';
import type { Transaction } from '@acervo/platform-database';
import { anonymous, Scope } from '@acervo/rbac';
import { write } from '../isolation/tenant-fixture';
import { Installation } from '../isolation/installation';
import { bucketOf, makePartitions } from '../isolation/tenants';
import { upwards } from './oracle';
import { DOCUMENTS, isMember, type Node, SPACE_ENTITY, SPACES, TYPE, typeAt, type World } from './world';

const documentIds = Array.from({ length: DOCUMENTS }, () => randomUUID());

/** An installation with one group that takes on one world after another, without extraction or embeddings. */
export class WorldInstallation {
  /** What the key is verified as in the present world. */
  private verified: Promise<VerifiedScope> | undefined;

  private constructor(
    readonly installation: Installation,
    readonly group: ProvisionedGroup,
  ) {}

  static async open(): Promise<WorldInstallation> {
    const installation = await Installation.start();
    const { email, password } = installation.administrator;
    const group = await installation.callsOf('standalone').send(provisionFirstGroup, anonymous, {
      groupName: 'Worlds',
      administrator: email,
      administratorPassword: password,
    });
    const installed = new WorldInstallation(installation, group);
    await installed.index();
    return installed;
  }

  /** Writes chunks and vectors of all documents once; other tables locate documents and grant access. */
  private async index(): Promise<void> {
    const { installation, group } = this;
    const bucket = await bucketOf(installation, group);
    await makePartitions(installation, bucket);
    const { model, revision, dimension, floor } = HASHING;
    await installation.owner('retrieval').write(group, async (tx) => {
      await write(tx, {
        table: 'retrieval.embedding_space',
        rows: [{ space_id: 1, model, revision, dimension, floor, state: 'LIVE' }],
      });
      const keys = documentIds.map((document_id) => ({ bucket, space_id: 1, document_id, generation: 1 }));
      await write(tx, { table: 'retrieval.live', rows: keys.map((key) => ({ ...key, chunk_count: 1, since: 'now' })) });
      const chunk = {
        ordinal: 0,
        start_at: 0,
        end_at: 4,
        text: 'Agua',
        context: '',
        language: 'es',
        terms: 'agu agua',
      };
      await write(tx, { table: 'retrieval.chunk', rows: keys.map((key) => ({ ...key, ...chunk })) });
      const embedding = `[1${',0'.repeat(dimension - 1)}]`;
      await write(tx, { table: 'retrieval.vector_384', rows: keys.map((key) => ({ ...key, ordinal: 0, embedding })) });
    });
  }

  /** Replaces all rows of the group by those of a world. */
  async become(world: World): Promise<void> {
    const { installation, group } = this;
    await installation.owner('auth').write(group, async (tx) => {
      await tx.query('delete from auth.user_entity where group_id = $1', [group.groupId]);
      await tx.query('delete from auth.area where group_id = $1', [group.groupId]);
      await tx.query(`delete from auth.entity where group_id = $1 and code like 'V%'`, [group.groupId]);
      await write(tx, {
        table: 'auth.entity',
        rows: ['V1', 'V2', 'V3'].map((code) => ({ code, name: code, description: '', system_prompt: '' })),
      });
      const areas = world.areas.map(({ code, entity, parent }) => ({
        code,
        entity_code: entity,
        parent_code: parent,
        name: code,
      }));
      await write(tx, { table: 'auth.area', rows: areas });
      await write(tx, {
        table: 'auth.area_location',
        rows: world.links.map(({ area, location }) => ({ area_code: area, location_code: location })),
      });
      const [user] = await tx.query<{ id: string }>('select user_id as id from auth.app_user where group_id = $1', [
        group.groupId,
      ]);
      const grants = world.grants.map(({ entity, area }) => ({
        user_id: user?.id,
        entity_code: entity,
        area_code: area,
      }));
      await write(tx, { table: 'auth.user_entity', rows: grants });
      const { fixedEntity, fixedArea, activeEntity, activeArea } = world.key;
      await tx.query(
        `update auth.api_key set fixed_entity = $2, fixed_area = $3, active_entity = $4, active_area = $5 where group_id = $1`,
        [group.groupId, fixedEntity, fixedArea, activeEntity, activeArea],
      );
    });
    await this.place(world);
    this.verified = undefined;
  }

  private async place({ locations, documents }: World): Promise<void> {
    const { installation, group } = this;
    const entityOf = (code: string): string => locations.find((node) => node.code === code)?.entity ?? '';
    const placed = documents.map(({ code, location }, index) => ({
      ...{
        document_id: documentIds[index],
        code,
        name: `${code}.txt`,
        relative_path: `${code}.txt`,
        path: code,
        summary: '',
      },
      ...{ location_code: location, location_ancestors: upwards(locations, location), entity_code: entityOf(location) },
    }));
    await installation.owner('retrieval').write(group, async (tx) => {
      await tx.query('delete from retrieval.document where group_id = $1', [group.groupId]);
      const rows = placed.map((document, index) => ({
        ...{ ...document, revision: 1, withdrawn: false, origin: 'CARPETA' },
        type_codes: [TYPE, typeAt(index)],
      }));
      await write(tx, { table: 'retrieval.document', rows });
      await tx.query('delete from retrieval.location where group_id = $1', [group.groupId]);
      const folders = locations.map(({ code, entity }) => ({
        ...{ code, revision: 1, removed: false, entity_code: entity, location_ancestors: upwards(locations, code) },
      }));
      await write(tx, { table: 'retrieval.location', rows: folders });
      await writeSpaces(tx, placed);
    });
    await installation.owner('ingestion').write(group, async (tx) => {
      await tx.query('delete from ingestion.document where group_id = $1', [group.groupId]);
      await tx.query('delete from ingestion.location where group_id = $1', [group.groupId]);
      await write(tx, { table: 'ingestion.location', rows: locations.map((node) => locationRow(locations, node)) });
      const files = placed.map((document) => ({
        ...{ ...document, root_code: document.location_ancestors.at(-1), size: 1, mtime: '1', content_hash: 'x' },
        ...{ settings_hash: 'x', status: 'VECTORIZADO', chunk_count: 1 },
      }));
      // Columns with defaults are omitted.
      await write(tx, { table: 'ingestion.document', rows: files });
      await tx.query('delete from ingestion.document_type where group_id = $1', [group.groupId]);
      const types = [TYPE, ...new Set(files.map((_file, index) => typeAt(index)))];
      const above = (code: string): string | null => (code === TYPE ? null : TYPE);
      await write(tx, {
        table: 'ingestion.document_type',
        rows: types.map((code) => ({ code, name: code, parent_code: above(code) })),
      });
      const classes = files.map(({ document_id }, index) => ({
        ...{ document_id, content_hash: 'x', taxonomy_version: 1, type_code: typeAt(index), source: 'RULE' },
      }));
      await write(tx, { table: 'ingestion.document_class', rows: classes });
    });
  }

  /** The scope of the key of the group. @param over restrictions of its claims @throws as verification does */
  async scope(over: Partial<ScopeClaims> = {}): Promise<Scope> {
    this.verified ??= this.installation
      .callsOf('gateway')
      .send(verifyCredential, anonymous, { bearer: this.group.apiKey ?? '' });
    const { claims, token } = await this.verified;
    return new Scope(Object.assign(new ScopeClaims(), claims, over), token);
  }

  close(): Promise<void> {
    return this.installation.stop();
  }
}

interface Placed {
  readonly document_id: string | undefined;
  readonly entity_code: string;
}

/** Shared spaces without an owner: one of the whole group, and one of an entity. */
const writeSpaces = async (tx: Transaction, placed: readonly Placed[]): Promise<void> => {
  await tx.query('delete from retrieval.space_member where group_id = $1', [tx.groupId]);
  await tx.query('delete from retrieval.space where group_id = $1', [tx.groupId]);
  const shared = { name: 'Actas', description: '', type: 'ESPACIO', version: 1, requested: 1, refreshed_at: 'now' };
  const times = { created_at: 'now', updated_at: 'now' };
  const members = placed.filter((_document, index) => isMember(index));
  const spaces = [
    { space_id: SPACES.whole, entity_code: null, members },
    {
      ...{ space_id: SPACES.ofEntity, entity_code: SPACE_ENTITY },
      members: members.filter(({ entity_code }) => entity_code === SPACE_ENTITY),
    },
  ];
  await write(tx, {
    table: 'retrieval.space',
    rows: spaces.map(({ space_id, entity_code }) => ({ space_id, entity_code, ...shared, ...times })),
  });
  await write(tx, {
    table: 'retrieval.space_member',
    rows: spaces.flatMap(({ space_id, members: those }) =>
      those.map(({ document_id }) => ({ space_id, version: 1, document_id })),
    ),
  });
};

const locationRow = (locations: readonly Node[], { code, entity, parent }: Node): Record<string, unknown> => {
  const ancestors = upwards(locations, code);
  return {
    ...{ code, root_code: ancestors.at(-1), parent_code: parent, name: code, relative_path: code },
    ...{ root_path: parent === null ? `/worlds/${code}` : null, device: '1', inode: code, entity_code: entity },
    location_ancestors: ancestors,
  };
};
