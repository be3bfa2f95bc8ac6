// One bare connection with the role of retrieval: the raw legs are measured without the transactions of the product.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

/** Runs statements of the legs within a group of an installation, each in its own transaction. */
export const openGroupSession = async (running) => {
  const { Client } = require('pg');
  const { poolConfig } = require('@acervo/platform-database');
  const client = new Client(poolConfig(running.connection('retrieval_app')));
  // A failing statement reports the error itself; an error between statements means that the engine has ended.
  client.on('error', () => undefined);
  await client.connect();
  const { groupId, entityCode } = running.group;
  const under = async ({ sql, params, local = {} }) => {
    const settings = Object.entries(local).map(([name, value]) => `set local ${name} = '${value}';`);
    await client.query(`begin read only; select set_config('app.group_id', '${groupId}', true); ${settings.join(' ')}`);
    const { rows } = await client.query(sql, [...params]);
    await client.query('commit');
    return rows;
  };
  /** The embedding index that searches use. */
  const liveEmbeddingIndex = async () => {
    const sql = `select s.space_id as "indexId", s.model, s.revision, s.dimension, s.floor, b.bucket from retrieval.embedding_space s
            join retrieval.bucket_catalogue b on b.group_id = s.group_id where s.group_id = $1 and s.state = 'LIVE'`;
    return (await under({ sql, params: [groupId] }))[0];
  };
  const visibility = { groupId, entities: [entityCode], locationRoots: null, locationCode: null };
  return { under, liveEmbeddingIndex, visibility, close: () => client.end() };
};
