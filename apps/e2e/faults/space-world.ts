import { QUEUE_ROLE } from '@acervo/platform-database';
import type { Answer } from '../harness/http-client';
import type { Installation } from '../harness/installation';
import { Tables } from '../harness/tables';
import { until } from '../harness/waiting';

export const DOCUMENTS = 1_600;
/** Of so many documents the reader sees one: every visible document of a space fits into one answer. */
const ONE_IN = 4;
const MOST_ITEMS = 500;
const STAGES = ['refresh-space', 'purge-space'];

/** Documents by number, from the first to the last but one. */
export interface Span {
  readonly from: number;
  readonly to: number;
}

const codeOf = (number: number): string => `S${String(number).padStart(5, '0')}`;
const numbersIn = (spans: readonly Span[]): number[] =>
  Array.from({ length: DOCUMENTS }, (_, number) => number).filter((number) =>
    spans.some(({ from, to }) => number >= from && number < to),
  );

/** The codes of all documents in any of some spans, by code. */
export const codesOf = (...spans: readonly Span[]): readonly string[] => numbersIn(spans).map(codeOf);
/** Those of them that the reader sees. */
export const seenOf = (...spans: readonly Span[]): readonly string[] =>
  numbersIn(spans)
    .filter((number) => number % ONE_IN === 0)
    .map(codeOf);

const TYPES = `array_remove(array[case when n >= $2::int and n < $3::int then 'A' end, case when n >= $4::int and n < $5::int then 'B' end], null)`;

/** Searchable documents without chunks in an installation: those of type A, and of type B, are spans of numbers. */
export class SpaceWorld {
  private readonly queue: Tables;

  private constructor(readonly installation: Installation) {
    this.queue = new Tables((role) => installation.running.connection(role), installation.scope.groupId);
  }

  static async in(installation: Installation): Promise<SpaceWorld> {
    const world = new SpaceWorld(installation);
    await installation.running.ingested;
    const live = `select from retrieval.live where group_id = $1`;
    await until('a searchable document', async () => (await installation.rows('retrieval', live)).length > 0);
    await installation.change(
      'retrieval',
      `insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
         location_ancestors, relative_path, path, origin, noted_in)
       select $1, gen_random_uuid(), 1, 'S' || lpad(n::text, 5, '0'), 'n', '', case when n % ${ONE_IN} = 0 then $2 else 'UNSEEN' end,
         'L1', '{L1}', '', '', 'CARPETA', pg_current_xact_id() from generate_series(0, ${DOCUMENTS} - 1) n`,
      [installation.running.group.entityCode],
    );
    await installation.change(
      'retrieval',
      `insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
       select d.group_id, d.document_id, l.space_id, 1, l.bucket, 1 from retrieval.document d,
         (select space_id, bucket from retrieval.live where group_id = $1 limit 1) l
       where d.group_id = $1 and d.code ~ '^S\\d{5}$'`,
    );
    return world;
  }

  /** Gives the documents their types. */
  async assign(a: Span, b: Span): Promise<void> {
    await this.installation.change(
      'retrieval',
      `update retrieval.document d set type_codes = ${TYPES}, noted_in = pg_current_xact_id()
       from (select document_id, substr(code, 2)::int as n from retrieval.document
         where group_id = $1 and code ~ '^S\\d{5}$') f
       where d.group_id = $1 and d.document_id = f.document_id`,
      [a.from, a.to, b.from, b.to],
    );
  }

  create(name: string, type: string): Promise<Answer> {
    const input = { name, type: 'SPACE', entity_code: null, criteria: { document_types: [type] } };
    return this.installation.ask('POST', '/v1/operations/spaces.create:execute', { input });
  }

  compose(name: string, operation: string, a: number, b: number): Promise<Answer> {
    const body = { name, operation, space_id_a: a, space_id_b: b, space_type: 'SPACE' };
    return this.installation.ask('POST', '/v1/spaces/compose', body);
  }

  refresh(spaceId: number): Promise<Answer> {
    return this.installation.ask('POST', `/v1/spaces/${spaceId}/refresh`);
  }

  /** Everything that the reader sees of a space, in one answer. */
  read(spaceId: number): Promise<Answer> {
    return this.installation.ask('POST', `/v1/spaces/${spaceId}/read`, { limit: MOST_ITEMS });
  }

  /** The number of a space, as soon as there is one with that name. */
  async numberOf(name: string): Promise<number> {
    let found: number | undefined;
    await until(`the space ${name}`, async () => {
      const sql = 'select space_id as "spaceId" from retrieval.space where group_id = $1 and name = $2';
      [{ spaceId: found } = { spaceId: undefined }] = await this.installation.rows<{ spaceId: number }>(
        'retrieval',
        sql,
        [name],
      );
      return found !== undefined;
    });
    return found ?? 0;
  }

  /** The codes of the version that is read, hidden documents included. */
  async members(spaceId: number): Promise<readonly string[]> {
    const rows = await this.installation.rows<{ code: string }>(
      'retrieval',
      `select d.code from retrieval.space s
       join retrieval.space_member m on m.group_id = $1 and m.space_id = s.space_id and m.version = s.version
       join retrieval.document d on d.group_id = $1 and d.document_id = m.document_id
       where s.group_id = $1 and s.space_id = $2 order by d.code collate "C"`,
      [spaceId],
    );
    return rows.map(({ code }) => code);
  }

  /** What is left of refreshes: members of versions that are not read, and tasks. */
  async remains(): Promise<{ readonly members: number; readonly tasks: number }> {
    const [row] = await this.installation.rows<{ members: number; tasks: number }>(
      'retrieval',
      `select (select count(*)::int from retrieval.space_member m where m.group_id = $1 and not exists (
           select from retrieval.space s where s.group_id = $1 and s.space_id = m.space_id and s.version = m.version)) as members,
         (select count(*)::int from retrieval.task where group_id = $1 and stage = any($2::text[])) as tasks`,
      [STAGES],
    );
    return { members: row?.members ?? -1, tasks: row?.tasks ?? -1 };
  }

  /** Ends the delays of deletions. */
  async hasten(): Promise<void> {
    await this.installation.change(
      'retrieval',
      `update retrieval.task set not_before = now(), updated_at = now() - interval '1 min'
       where group_id = $1 and stage = any($2::text[]) and status = 'WAITING' and not_before > now() returning stage`,
      [STAGES],
    );
  }

  /** Expires the leases and locks of a worker that is dead, without waiting. */
  async expire(): Promise<void> {
    const { installation } = this;
    await installation.change(
      'retrieval',
      `update retrieval.task set leased_until = now() - interval '1 s'
       where group_id = $1 and stage = any($2::text[]) and status = 'LEASED' returning stage`,
      [STAGES],
    );
    await this.queue.change(
      QUEUE_ROLE,
      `update bullmq.job set state = 'waiting', lock_token = null, locked_until_ms = null
       where state = 'active' and data->>'stage' = any($1::text[]) returning id`,
      [STAGES],
    );
  }

  close(): Promise<void> {
    return this.queue.close();
  }
}
