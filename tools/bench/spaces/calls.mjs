// The requests about spaces that the bench sends.
import { HttpClient, until } from '@acervo/e2e/harness';

/** Longer than a call waits for its task. */
const ANSWERS_WITHIN_MS = 60_000;
/** A call waits for its task no longer than its deadline; the bench does. */
const COMPLETE_WITHIN_MS = 300_000;
const COMPLETE = 'select from retrieval.space where group_id = $1 and space_id = $2 and requested <= version';

/** @throws unless the answer is 200 */
const done = ({ status, text, body }) => {
  if (status !== 200) throw new Error(`A request about a space answered ${status}: ${text}`);
  return body;
};

/** Requests as the administrator. A space that its answer calls stale is awaited. */
export const spaceCalls = (installation) => {
  const { port, key } = installation;
  const client = new HttpClient({ port, key, answersWithinMs: ANSWERS_WITHIN_MS });
  const send = async (method, path, body) => done(await client.send(method, path, body));
  const complete = async (space) => {
    if (!space.is_stale) return space;
    const isComplete = async () => (await installation.rows('retrieval', COMPLETE, [space.space_id])).length > 0;
    await until(`Space ${space.space_id}`, isComplete, COMPLETE_WITHIN_MS);
    return (await send('GET', `/v1/spaces/${space.space_id}`)).space;
  };
  const execute = async (code, input) =>
    (await send('POST', `/v1/operations/${code}:execute`, { input, confirm: true })).result;
  return {
    create: async (type) => {
      const input = { name: type, type: 'SPACE', criteria: { document_types: [type] } };
      return complete(await execute('spaces.create', input));
    },
    compose: async (operation, a, b) =>
      complete(await send('POST', '/v1/spaces/compose', { operation, space_id_a: a, space_id_b: b })),
    refresh: (space) => send('POST', `/v1/spaces/${space}/refresh`),
    count: async (space) => (await send('POST', `/v1/spaces/${space}/read`, { resolution: 'count' })).total,
    show: (space) => send('GET', `/v1/spaces/${space}`),
    delete: (space) => execute('spaces.delete', { space_id: space }),
  };
};
