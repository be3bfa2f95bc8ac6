// Fails where state that callers fill is not listed: every wait, queue, permit, lease and map ends, and has a cap.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../lib/options.mjs';

/** Sources that requests and calls run through. */
const FOLDERS = [
  ...['http', 'calls', 'counters', 'egress', 'resilience', 'service', 'database'].map(
    (name) => `libs/platform/${name}/src`,
  ),
  ...['auth', 'chat', 'gateway', 'models', 'operations', 'retrieval'].map((name) => `libs/${name}/src`),
];

/**
 * State by file and name: what its entries are keyed by or hold, what ends an entry, and what bounds their number.
 * Entries of a WeakMap and of a variable within one call end by themselves and are not listed.
 */
export const callerState = {
  'libs/platform/http/src/admission.ts': {
    groups: ['credential', 'the oldest is dropped', '10,000 (MOST_CREDENTIALS)'],
  },
  'libs/platform/http/src/body.ts': {
    shares: ['group, service or address', 'the body is read or its connection ends', 'bytes of the budget'],
  },
  'libs/platform/http/src/connection-limits.ts': {
    counts: ['address', 'the connection closes', 'connections of the listener'],
    open: ['connection', 'the connection closes', 'connections of the listener (maxConnections)'],
  },
  'libs/platform/http/src/requests-in-order.ts': {
    none: ['requests of a connection', 'the connection closes', '16 for each connection (pipelined)'],
  },
  'libs/platform/http/src/unproven-connections.ts': {
    networks: ['address', 'a proof, its time is over, or the connection closes', 'half of ACERVO_CONNECTIONS (most)'],
  },
  'libs/platform/http/src/unproven-requests.ts': {
    FairSemaphore: ['address', 'its answer begins or its connection ends', 'one request of each connection (most)'],
  },
  'libs/platform/http/src/draining-server.ts': {
    open: ['answer', 'the answer or its connection closes', 'one for each connection'],
    unused: ['connection', 'its first request, or the connection closes', 'connections of the listener'],
  },
  'libs/platform/calls/src/call-server.ts': { handlers: ['call', 'never: made at the start', 'declared calls'] },
  'libs/platform/calls/src/http-transport.ts': { breakers: ['owner', 'never', 'services'] },
  'libs/platform/calls/src/keys.ts': {
    publishedKeys: ['sender, checked against the list of services', 'replaced by a fetch', 'services'],
    fetchedAt: ['sender, checked against the list of services', 'replaced by a fetch', 'services'],
  },
  'libs/platform/calls/src/location-sets.ts': {
    sets: ['hash of a set of folders', 'the oldest is dropped', '500,000 folders (MOST_KEPT)'],
  },
  'libs/platform/counters/src/memory-rates.ts': {
    usedUpAt: ['address, key or user', 'pruned once it is used up', '100,000 (MOST_NAMES), then one shared name'],
  },
  'libs/platform/resilience/src/fair-semaphore.ts': {
    shares: ['group or address', 'its last caller is done or gone', 'permits and the queue (mostWaiting)'],
  },
  'libs/platform/resilience/src/mutex.ts': { mutexes: ['key of the work', 'its last user is done', 'running work'] },
  'libs/platform/resilience/src/recent-answers.ts': { answers: ['key of the question', 'its time is over', 'most'] },
  'libs/platform/resilience/src/single-flight.ts': { flights: ['key of the work', 'the work is done', 'running work'] },
  'libs/platform/service/src/modules/limits.module.ts': {
    requests: ['request', 'its answer begins or its connection ends', 'ACERVO_REQUESTS_AT_ONCE and _WAITING'],
  },
  'libs/platform/database/src/transactions.ts': {
    FairSemaphore: ['transaction', 'the transaction ends', 'ACERVO_DATABASE_POOL and _WAITING'],
    planNames: ['text of a statement', 'never', 'statements of the program, none of which contains a value'],
  },
  'libs/platform/database/src/embedded/bounded-map.ts': {
    entries: ['text of a statement', 'the oldest is dropped', 'most'],
  },
  'libs/platform/database/src/embedded/connection.ts': {
    channels: ['channel of a connection', 'the connection ends', 'channels of the program'],
  },
  'libs/platform/database/src/embedded/multiplexer.ts': {
    connections: ['connection of a pool', 'the connection ends', 'the budget of connections'],
  },
  'libs/platform/database/src/embedded/passed-statements.ts': {
    byRole: ['role of the database', 'never', 'roles of the program'],
    definers: ['function of the database', 'never', 'functions of the program'],
  },
  'libs/platform/database/src/embedded/prepared-statements.ts': {
    byName: ['prepared statement of a connection', 'the connection ends', 'statements of the program'],
  },
  'libs/platform/calls/src/used-proofs.ts': {
    ids: ['proof', 'it expires (60 s)', 'calls of services within the life of a proof'],
  },
  'libs/auth/src/verification/key-uses.ts': {
    waiting: ['group', 'its keys are noted', 'keys that were used within a statement (10,000, MOST_KEYS)'],
  },
  'libs/auth/src/function-views/view-check.ts': {
    aliases: ['alias of one statement', 'the check of the statement ends', '6 (MOST_RELATIONS)'],
  },
  'libs/auth/src/accounts/password-hasher.ts': {
    semaphore: ['network of a sign-in', 'the comparison ends', '2 at once, 200 waiting, networks in turns'],
  },
  'libs/chat/src/answering/cited-answer.ts': {
    indexes: ['passage of one answer', 'the answer ends', 'passages of the answer'],
    results: ['result of one answer', 'the answer ends', 'results of the answer'],
    drafts: ['sentence of one answer', 'the answer ends', '60 (MOST_SENTENCES)'],
  },
  'libs/chat/src/answering/support.ts': {
    analysed: ['piece of a passage of one answer', 'the answer ends', 'pieces of the passage'],
  },
  'libs/chat/src/answering/support/word-forms.ts': {
    found: ['word of one answer', 'the answer ends', 'words of its passages and sentences'],
    stems: ['word and language of one answer', 'the answer ends', 'words of its passages and sentences'],
  },
  'libs/models/src/chat/chat-answer.ts': {
    calls: ['tool call of one answer', 'the answer ends', '32 (MOST_TOOL_CALLS)'],
  },
  'libs/models/src/chat/group-tokens.ts': {
    buckets: ['group', 'its tokens of a minute are back', 'groups of the installation'],
  },
  'libs/models/src/chat/openai-chat-model.ts': {
    places: ['group', 'the answer ends or its client is gone', 'the concurrency of the endpoint and MOST_WAITING'],
  },
  'libs/models/src/http/http-embedder.ts': {
    FairSemaphore: ['text', 'its vector is there, or its time is over', 'the concurrency and MOST_WAITING'],
  },
  'libs/models/src/e5/session-threads.ts': {
    runs: ['thread of the model', 'its run ends', 'threads of the process'],
    timers: ['start of a thread', 'the thread starts, or the threads close', 'threads of the process'],
  },
  'libs/models/src/e5/vocabulary.ts': { normalisation: ['code point', 'never: read at the start', 'the model'] },
  'libs/models/src/e5/convert/onnx-graph.ts': {
    integers: ['constant of a graph', 'the conversion ends', 'constants of the model'],
  },
  'libs/gateway/src/releases/release.service.ts': {
    newestOf: ['kind of release', 'replaced once it is old', 'two kinds'],
  },
  'libs/operations/src/audit/verified-chains.ts': {
    groups: ['group', 'the group is gone', 'groups of the installation'],
  },
  'libs/operations/src/execution/idempotency.ts': {
    worked: ['request with an idempotency key', 'the work is done', 'requests that the process works on'],
  },
  'libs/retrieval/src/buckets/bucket-keeper.ts': {
    made: ['bucket', 'never', 'buckets of the installation'],
    graphs: ['bucket and dimension', 'never', 'buckets of the installation'],
    came: ['bucket', 'never', 'buckets of the installation'],
  },
  'libs/retrieval/src/legs/opensearch/copies/open-search-copies.ts': {
    made: ['group', 'its index is lost', 'groups of the installation'],
  },
  'libs/retrieval/src/excerpts/received.ts': {
    users: ['user', 'the oldest is dropped', '1,000 (MOST_USERS)'],
  },
  'libs/retrieval/src/search/similarities.ts': { best: ['chunk of one search', 'the search ends', 'hits of its legs'] },
  'libs/retrieval/src/search/query-embedder.ts': {
    semaphore: ['query', 'its vector is made', '4 at once, ACERVO_QUERIES_WAITING'],
  },
};

/** A field or a constant that outlives one call: an empty map, set or list of waiting callers, or a semaphore. */
const STATE =
  /^(?: {2}(?:(?:private|protected|public|readonly|static) )+|(?:export )?const |\s+const )(?<name>\w+)(?:: (?!Readonly)[^=]+)? = new (?:Map|Set)(?:<.*>)?\(\);?$/;
const LISTS = /^\s+const (?<name>\w+): (?:Pending|Waiting)\[\] = \[\];$/;
const SEMAPHORE = /(?:(?<name>\w+) = )?new (?:Fair)?Semaphore\(/;
/** An indented constant is state where the function around it serves a listener. */
const isLocal = (line, file) => /^\s+const /.test(line) && !file.startsWith('libs/platform/http/');

/** Names of the state that a source declares. @param file its path from the root */
export const stateIn = (file, text) =>
  text.split('\n').flatMap((line) => {
    const found = STATE.exec(line) ?? LISTS.exec(line) ?? SEMAPHORE.exec(line);
    if (found === null || isLocal(line, file)) return [];
    return [found.groups.name ?? 'FairSemaphore'];
  });

/** Differences between the state of some sources and the list. @param sources texts by path from the root */
export const callerStateProblems = (sources, listed = callerState) => {
  const declared = [...sources].map(([file, text]) => [file, new Set(stateIn(file, text))]);
  const unlisted = declared.flatMap(([file, found]) =>
    [...found]
      .filter((name) => listed[file]?.[name] === undefined)
      .map(
        (name) =>
          `${file} has ${name}, which tools/checks/caller-state.mjs does not list: say what it is keyed by, what ends an entry and what bounds them.`,
      ),
  );
  const byFile = new Map(declared);
  const absent = Object.entries(listed).flatMap(([file, entries]) =>
    Object.entries(entries).flatMap(([name, parts]) => {
      if (byFile.get(file)?.has(name) !== true)
        return [`tools/checks/caller-state.mjs lists ${name} of ${file}, which has none.`];
      const isWhole = parts.length === 3 && parts.every((part) => part !== '');
      return isWhole ? [] : [`tools/checks/caller-state.mjs does not say how ${name} of ${file} ends, or its bound.`];
    }),
  );
  return [...unlisted, ...absent];
};

const filesIn = (folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true })
        .filter((name) => name.endsWith('.ts') && !name.endsWith('.spec.ts'))
        .map((name) => `${folder}/${name}`)
    : [];

/** The differences in this repository. */
export const callerStateProblemsHere = () =>
  callerStateProblems(FOLDERS.flatMap(filesIn).map((file) => [file, readFileSync(join(root, file), 'utf8')]));
