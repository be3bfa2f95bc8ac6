// Searchable documents without chunks, written into the tables of retrieval: a space gathers them as it does others.

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
/** Documents of one transaction. */
const AT_ONCE = 2_000;

/** Every document has the type `TODO`; one of two `PAR`, one of a hundred `RARO`. */
const DOCUMENTS = `
insert into retrieval.document (group_id, document_id, revision, code, name, summary, entity_code, location_code,
  location_ancestors, relative_path, path, origin, type_codes, noted_in)
select $1, gen_random_uuid(), 1, 'S' || lpad(n::text, 7, '0'), 'sintetico-' || n || '.txt', 'Sintético', $4, 'L1', '{L1}',
  n || '.txt', 'carpeta/' || n || '.txt', 'CARPETA',
  array['TODO'] || case when n % 2 = 0 then array['PAR'] else '{}' end
    || case when n % 100 = 0 then array['RARO'] else '{}' end, pg_current_xact_id()
from generate_series($2::int, $3::int) n returning document_id`;

const LIVE = `
insert into retrieval.live (group_id, document_id, space_id, generation, bucket, chunk_count)
select $1, d.document_id, e.space_id, 1, b.bucket, 1 from unnest($2::uuid[]) d (document_id)
join retrieval.embedding_space e on e.group_id = $1 and e.state = 'LIVE'
join retrieval.bucket_catalogue b on b.group_id = $1`;

/** Writes documents; tables stay without new statistics, as after an import. */
export const writeDocuments = async (installation, count) => {
  const { entityCode } = installation.running.group;
  for (let first = 1; first <= count; first += AT_ONCE) {
    const last = Math.min(count, first + AT_ONCE - 1);
    const rows = await installation.change('retrieval', DOCUMENTS, [first, last, entityCode]);
    await installation.change('retrieval', LIVE, [rows.map(({ document_id }) => document_id)]);
  }
};

/** Does what autovacuum does within minutes: later counts read keys alone. */
export const vacuum = async ({ running }) => {
  const { Client } = require('pg');
  const { poolConfig } = require('@acervo/platform-database');
  const client = new Client(poolConfig(running.connection('retrieval_owner')));
  await client.connect();
  for (const table of ['document', 'live', 'space_member']) await client.query(`vacuum (analyze) retrieval.${table}`);
  await client.end();
};
