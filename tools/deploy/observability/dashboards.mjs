// The dashboards, as rows of panels. A panel is a title, a unit of Grafana and expressions with legends.

/** Engines that an installation may lack: their panels are empty there. */
const [KAFKA, OPENSEARCH, S3] = ['kafka', 'opensearch', 's3'];
const [CHAT_MODEL, EMBEDDER] = ['a chat model', 'an embedder that is a service'];

const rate = (series) => `rate(${series}[$__rate_interval])`;
const quantiles = (histogram, by, matchers = '') =>
  [0.5, 0.95, 0.99].map((quantile) => ({
    expr: `histogram_quantile(${quantile}, sum by (le${by === '' ? '' : `, ${by}`}) (${rate(`${histogram}_bucket${matchers}`)}))`,
    legend: `p${quantile * 100}${by === '' ? '' : ` {{${by}}}`}`,
  }));
const one = (expr, legend = '') => [{ expr, legend }];

const panel = (title, unit, queries, only) => ({ title, unit, queries, ...(only === undefined ? {} : { only }) });

const SEARCH = '{route="/v1/documents/search"}';

export const DASHBOARDS = [
  {
    uid: 'acervo-overview',
    title: 'Acervo: overview',
    panels: [
      panel('Errors of the promises, an hour (share)', 'percentunit', one('acervo:slo_errors:ratio_rate1h', '{{slo}}')),
      panel(
        'Alerts that fire',
        'short',
        one('count by (alertname) (ALERTS{alertstate="firing"}) or vector(0)', '{{alertname}}'),
      ),
      panel(
        'Requests a second, by status',
        'reqps',
        one(`sum by (status) (${rate('acervo_http_request_seconds_count')})`, '{{status}}'),
      ),
      panel(
        'Requests a second, by service',
        'reqps',
        one(`sum by (service) (${rate('acervo_http_request_seconds_count')})`, '{{service}}'),
      ),
      panel('Time to answer', 's', quantiles('acervo_http_request_seconds', '')),
      panel(
        'Engines that answer (0: away)',
        'bool',
        one('min by (service, check) (acervo_ready)', '{{service}} {{check}}'),
      ),
      panel(
        'Programs, by version',
        'short',
        one('count by (service, version) (acervo_build_info)', '{{service}} {{version}}'),
      ),
      panel('Resident memory', 'bytes', one('max by (service) (process_resident_memory_bytes)', '{{service}}')),
      panel('Processor', 'percentunit', one(`sum by (service) (${rate('process_cpu_seconds_total')})`, '{{service}}')),
      panel(
        'Lag of the event loop, p99',
        's',
        one('max by (service) (nodejs_eventloop_lag_p99_seconds)', '{{service}}'),
      ),
    ],
  },
  {
    uid: 'acervo-search',
    title: 'Acervo: search',
    panels: [
      panel(
        'Searches a second, by status',
        'reqps',
        one(`sum by (status) (${rate(`acervo_http_request_seconds_count${SEARCH}`)})`, '{{status}}'),
      ),
      panel('Time to answer a search', 's', quantiles('acervo_http_request_seconds', '', SEARCH)),
      panel(
        'Time of a leg, p95',
        's',
        one(
          `histogram_quantile(0.95, sum by (le, leg, engine) (${rate('acervo_leg_seconds_bucket')}))`,
          '{{leg}} {{engine}}',
        ),
      ),
      panel(
        'Legs a second, by outcome',
        'ops',
        one(`sum by (leg, outcome) (${rate('acervo_leg_seconds_count')})`, '{{leg}} {{outcome}}'),
      ),
      panel(
        'Searches without a leg, a second',
        'ops',
        one(`(sum by (leg, reason) (${rate('acervo_leg_left_out_total')})) or vector(0)`, '{{leg}} {{reason}}'),
      ),
      panel(
        'Documents left out, vectors to come',
        'ops',
        one(`sum(${rate('acervo_search_without_similarity_total')})`),
      ),
      panel(
        'Embedder, p95',
        's',
        one(
          `histogram_quantile(0.95, sum by (le, kind) (${rate('acervo_embedder_request_seconds_bucket')}))`,
          '{{kind}}',
        ),
        EMBEDDER,
      ),
      panel(
        'Embedder paused (1)',
        'bool',
        one('max by (service, kind) (acervo_embedder_paused)', '{{service}} {{kind}}'),
        EMBEDDER,
      ),
      panel(
        'Requests in places',
        'short',
        one('sum by (service, state) (acervo_request_places)', '{{service}} {{state}}'),
      ),
      panel(
        'Time of calls, p95',
        's',
        one(`histogram_quantile(0.95, sum by (le, call) (${rate('acervo_call_seconds_bucket')}))`, '{{call}}'),
      ),
      panel(
        'Calls a second, by outcome',
        'ops',
        one(`sum by (outcome) (${rate('acervo_call_seconds_count')})`, '{{outcome}}'),
      ),
      panel(
        'OpenSearch, p95',
        's',
        one(
          `histogram_quantile(0.95, sum by (le, operation) (${rate('acervo_lexical_engine_seconds_bucket')}))`,
          '{{operation}}',
        ),
        OPENSEARCH,
      ),
      panel(
        'Chat model, p95',
        's',
        one(
          `histogram_quantile(0.95, sum by (le, model, outcome) (${rate('acervo_chat_request_seconds_bucket')}))`,
          '{{model}} {{outcome}}',
        ),
        CHAT_MODEL,
      ),
    ],
  },
  {
    uid: 'acervo-ingestion',
    title: 'Acervo: ingestion',
    panels: [
      panel('Work that waits', 'short', one('max by (service, stage) (acervo_work_waiting)', '{{service}} {{stage}}')),
      panel('Oldest work', 's', one('max by (service, stage) (acervo_work_oldest_seconds)', '{{service}} {{stage}}')),
      panel(
        'Work a second, by outcome',
        'ops',
        one(`sum by (stage, outcome) (${rate('acervo_work_total')})`, '{{stage}} {{outcome}}'),
      ),
      panel(
        'Time of a batch, p95',
        's',
        one(`histogram_quantile(0.95, sum by (le, stage) (${rate('acervo_stage_seconds_bucket')}))`, '{{stage}}'),
      ),
      panel('Until a document is searchable', 's', quantiles('acervo_document_searchable_seconds', '')),
      panel(
        'Work given up, an hour',
        'short',
        one('(sum by (stage, reason) (increase(acervo_work_given_up_total[1h]))) or vector(0)', '{{stage}} {{reason}}'),
      ),
      panel('Since the last scan and comparison', 's', [
        { expr: 'max(acervo_last_scan_seconds)', legend: 'scan' },
        { expr: 'max(acervo_last_comparison_seconds)', legend: 'comparison' },
      ]),
      panel(
        'Differences of the stores, an hour',
        'short',
        one(
          '(sum by (kind, outcome) (increase(acervo_store_differences_total[1h]))) or vector(0)',
          '{{kind}} {{outcome}}',
        ),
      ),
      panel('Shares not mounted', 'short', one('max(acervo_shares_unmounted)')),
    ],
  },
  {
    uid: 'acervo-events',
    title: 'Acervo: events',
    panels: [
      panel(
        'Events that wait',
        'short',
        one('max by (service, where) (acervo_events_waiting)', '{{service}} {{where}}'),
      ),
      panel(
        'Oldest event',
        's',
        one('max by (service, where) (acervo_events_oldest_seconds)', '{{service}} {{where}}'),
      ),
      panel(
        'Events a second, by outcome',
        'ops',
        one(`sum by (topic, outcome) (${rate('acervo_events_total')})`, '{{topic}} {{outcome}}'),
      ),
      panel(
        'From publishing to the first try, p95',
        's',
        one(`histogram_quantile(0.95, sum by (le, topic) (${rate('acervo_event_wait_seconds_bucket')}))`, '{{topic}}'),
      ),
      panel(
        'Time of handling, p95',
        's',
        one(`histogram_quantile(0.95, sum by (le, topic) (${rate('acervo_event_seconds_bucket')}))`, '{{topic}}'),
      ),
      panel(
        'Dead-lettered, an hour',
        'short',
        one('(sum by (topic) (increase(acervo_events_laid_aside_total[1h]))) or vector(0)', '{{topic}}'),
      ),
      panel(
        'Lag in Kafka',
        'short',
        one('max by (service, topic) (acervo_events_lag)', '{{service}} {{topic}}'),
        KAFKA,
      ),
      panel(
        'Ends of consumers, an hour',
        'short',
        one('sum by (service) (increase(acervo_events_consumer_ended_total[1h]))', '{{service}}'),
        KAFKA,
      ),
    ],
  },
  {
    uid: 'acervo-engines',
    title: 'Acervo: engines',
    panels: [
      panel(
        'Connections by state',
        'short',
        one('sum by (service, pool, state) (acervo_database_pool)', '{{service}} {{pool}} {{state}}'),
      ),
      panel('Ready, by check', 'bool', one('min by (check) (acervo_ready)', '{{check}}')),
      panel('Open files', 'short', one('max by (service) (process_open_fds)', '{{service}}')),
      panel('Heap in use', 'bytes', one('max by (service) (nodejs_heap_size_used_bytes)', '{{service}}')),
      panel(
        'Garbage collection (share of time)',
        'percentunit',
        one(`sum by (service) (${rate('nodejs_gc_duration_seconds_sum')})`, '{{service}}'),
      ),
      panel(
        'Object store, p95',
        's',
        one(
          `histogram_quantile(0.95, sum by (le, operation) (${rate('acervo_object_store_seconds_bucket')}))`,
          '{{operation}}',
        ),
        S3,
      ),
      panel('Shards of OpenSearch', 'short', one('max by (state) (acervo_opensearch_shards)', '{{state}}'), OPENSEARCH),
      panel('Age of keys', 's', [
        { expr: 'max(acervo_signing_key_age_seconds)', legend: 'signing key' },
        { expr: 'max(acervo_pepper_age_seconds)', legend: 'pepper' },
      ]),
      panel('Audit records proved until', 'dateTimeFromNow', one('min(acervo_audit_verified_timestamp) * 1000')),
      panel('Mails an hour', 'short', one('sum by (outcome) (increase(acervo_mail_total[1h]))', '{{outcome}}')),
    ],
  },
  {
    uid: 'acervo-fairness',
    title: 'Acervo: fairness between groups',
    panels: [
      panel(
        'Oldest work of a group',
        's',
        one('max by (service, over) (acervo_work_group_oldest_seconds)', '{{service}} {{over}}'),
      ),
      panel(
        'Share of the busiest group',
        'percentunit',
        one('max by (service) (acervo_work_busiest_group_share)', '{{service}}'),
      ),
      panel('Documents collected, an hour', 'short', one('sum(increase(acervo_documents_collected_total[1h]))')),
      panel(
        'Requests refused by rates, a second',
        'reqps',
        one(
          `sum by (service) (${rate('acervo_http_request_seconds_count{status="429"}')}) or vector(0)`,
          '{{service}}',
        ),
      ),
    ],
  },
];

const [COLUMNS, HEIGHT, WIDTH] = [2, 8, 12];
const DATASOURCE = { type: 'prometheus', uid: '${datasource}' };

const panelJson = ({ title, unit, queries, only }, index) => ({
  id: index + 1,
  type: 'timeseries',
  title,
  ...(only === undefined ? {} : { description: `Empty without ${only}.` }),
  datasource: DATASOURCE,
  gridPos: { h: HEIGHT, w: WIDTH, x: (index % COLUMNS) * WIDTH, y: Math.floor(index / COLUMNS) * HEIGHT },
  fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
  options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi', sort: 'desc' } },
  targets: queries.map(({ expr, legend }, query) => ({
    refId: String.fromCharCode('A'.charCodeAt(0) + query),
    datasource: DATASOURCE,
    expr,
    legendFormat: legend === '' ? title : legend,
  })),
});

/** The dashboard as Grafana imports it. */
export const dashboardJson = ({ uid, title, panels }) => ({
  uid,
  title,
  tags: ['acervo'],
  schemaVersion: 39,
  editable: false,
  refresh: '30s',
  time: { from: 'now-6h', to: 'now' },
  templating: { list: [{ name: 'datasource', label: 'Prometheus', type: 'datasource', query: 'prometheus' }] },
  panels: panels.map(panelJson),
});

/** Every expression of a panel, with where it stands. */
export const panelExpressions = DASHBOARDS.flatMap(({ title, panels }) =>
  panels.flatMap(({ title: name, queries, only }) =>
    queries.map(({ expr }) => ({ where: `${title}, ${name}`, expr, only })),
  ),
);
