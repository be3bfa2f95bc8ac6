// The alerts: what is asked of the metrics, and for each the series of a fault in which it fires.
import { burnAlerts } from './slos.mjs';

/** Beyond these a person is woken (critical), or looks on the next day (warning). */
const [CRITICAL, WARNING] = ['critical', 'warning'];

/** A counter that stood still and grows by one a minute from the fifth minute on. */
const GROWS = '0x5 0+1x60';
/** A figure that grows by a minute a minute. */
const ages = (seconds) => `${seconds}+60x60`;

const rates = (ratio) => ({
  'acervo_http_request_seconds_count{service="gateway",method="GET",route="/v1/documents",status="200"}': `0+${100 - ratio}x600`,
  'acervo_http_request_seconds_count{service="gateway",method="GET",route="/v1/documents",status="500"}': `0+${ratio}x600`,
});

/** Faults of the alerts on budgets: a share of 5xx that burns at one pace and not at the next. */
const BURN_FAULTS = {
  AcervoBudgetBurnsFast: { fault: rates(5), also: ['AcervoBudgetBurns', 'AcervoBudgetShrinks'] },
  AcervoBudgetBurns: { fault: rates(1), also: ['AcervoBudgetShrinks'] },
  AcervoBudgetShrinks: { fault: rates(0.2) },
};

const absent = (services) => services.map((service) => `absent(acervo_build_info{service="${service}"})`).join(' or ');

/** @param services the names of all services */
export const alertsOf = (services) => [
  ...burnAlerts.map((alert) => ({ ...alert, ...BURN_FAULTS[alert.alert] })),
  {
    alert: 'AcervoServiceAbsent',
    severity: CRITICAL,
    for: '2m',
    expr: absent(services),
    summary: 'No process of {{ $labels.service }} publishes metrics.',
    without: services[0],
    fault: {},
  },
  {
    alert: 'AcervoEngineAway',
    severity: CRITICAL,
    for: '2m',
    expr: 'max by (service, check) (acervo_ready) == 0',
    summary: '{{ $labels.check }} does not answer {{ $labels.service }}.',
    fault: { 'acervo_ready{service="retrieval",check="opensearch"}': '1x5 0x60' },
  },
  {
    alert: 'AcervoProcessNotReady',
    severity: WARNING,
    for: '10m',
    expr: 'min by (service, check) (acervo_ready) == 0 unless max by (service, check) (acervo_ready) == 0',
    summary: 'Some processes of {{ $labels.service }} do not reach {{ $labels.check }}, others do.',
    fault: {
      'acervo_ready{service="chat",check="database",pod="a"}': '1x60',
      'acervo_ready{service="chat",check="database",pod="b"}': '0x60',
    },
  },
  {
    alert: 'AcervoCallsFail',
    severity: WARNING,
    for: '10m',
    expr: 'sum by (service, call) (rate(acervo_call_seconds_count{outcome=~"failed|unanswered"}[5m])) / sum by (service, call) (rate(acervo_call_seconds_count[5m])) > 0.01',
    summary: 'Calls {{ $labels.call }} of {{ $labels.service }} fail.',
    fault: {
      'acervo_call_seconds_count{service="gateway",call="search",outcome="ok"}': '0+50x60',
      'acervo_call_seconds_count{service="gateway",call="search",outcome="failed"}': '0+5x60',
    },
  },
  {
    alert: 'AcervoRequestsWait',
    severity: WARNING,
    for: '10m',
    expr: 'max by (service) (acervo_request_places{state="waiting"}) > 64',
    summary: 'Requests wait for places in {{ $labels.service }}: half of the queue is full.',
    fault: { 'acervo_request_places{service="gateway",state="waiting"}': '100x60' },
  },
  {
    alert: 'AcervoConnectionsShort',
    severity: WARNING,
    for: '10m',
    expr: 'max by (service, pool) (acervo_database_pool{state="waiting"}) > 32',
    summary: 'Transactions of {{ $labels.service }} wait for connections of {{ $labels.pool }}.',
    fault: { 'acervo_database_pool{service="retrieval",pool="requests",state="waiting"}': '50x60' },
  },
  {
    alert: 'AcervoEventLoopLags',
    severity: WARNING,
    for: '10m',
    expr: 'max by (service) (nodejs_eventloop_lag_p99_seconds) > 0.5',
    summary: '{{ $labels.service }} answers late: its event loop is blocked.',
    fault: { 'nodejs_eventloop_lag_p99_seconds{service="ingestion"}': '0.9x60' },
  },
  {
    alert: 'AcervoDescriptorsShort',
    severity: WARNING,
    for: '10m',
    expr: 'max by (service) (process_open_fds / process_max_fds) > 0.8',
    summary: '{{ $labels.service }} has used most of its file descriptors.',
    fault: { 'process_open_fds{service="gateway"}': '900x60', 'process_max_fds{service="gateway"}': '1024x60' },
  },
  {
    alert: 'AcervoVersionsMixed',
    severity: WARNING,
    for: '2h',
    expr: 'count(count by (version) (acervo_build_info)) > 1',
    summary: 'Programs of more than one version run: an upgrade was not finished.',
    at: '125m',
    fault: { 'acervo_build_info{service="gateway",version="0.2.0"}': '1x240' },
  },
  {
    alert: 'AcervoEventsStand',
    severity: CRITICAL,
    for: '5m',
    expr: 'max by (service, where) (acervo_events_oldest_seconds{where=~"outbox|incoming"}) > 300',
    summary: 'Events of {{ $labels.service }} wait in {{ $labels.where }} for more than five minutes.',
    fault: { 'acervo_events_oldest_seconds{service="ingestion",where="outbox"}': ages(0) },
  },
  {
    alert: 'AcervoDeadLetters',
    severity: WARNING,
    for: '5m',
    expr: 'max by (service) (acervo_events_waiting{where="dead_letter"}) > 0',
    summary: '{{ $labels.service }} has dead-lettered events; later ones of their keys wait.',
    fault: { 'acervo_events_waiting{service="retrieval",where="dead_letter"}': '0x5 2x60' },
  },
  {
    alert: 'AcervoMessagesMalformed',
    severity: WARNING,
    expr: 'sum by (service, topic) (increase(acervo_events_malformed_total[15m])) > 0',
    summary: 'Messages of {{ $labels.topic }} are no events of Acervo.',
    fault: { 'acervo_events_malformed_total{service="operations",topic="audit"}': GROWS },
  },
  {
    alert: 'AcervoEventsUnproven',
    severity: CRITICAL,
    expr: 'sum by (service, topic) (increase(acervo_events_unproven_total[15m])) > 0',
    summary: 'Messages of {{ $labels.topic }} are signed by no publisher of it.',
    fault: { 'acervo_events_unproven_total{service="operations",topic="audit"}': GROWS },
  },
  {
    alert: 'AcervoWorkStands',
    severity: WARNING,
    for: '10m',
    expr: 'max by (service, stage) (acervo_work_oldest_seconds) > 1800',
    summary: 'Work of the stage {{ $labels.stage }} waits for more than half an hour.',
    fault: { 'acervo_work_oldest_seconds{service="ingestion",stage="extract"}': ages(1_200) },
  },
  {
    alert: 'AcervoGroupWaits',
    severity: WARNING,
    for: '15m',
    expr: 'max by (service) (acervo_work_group_oldest_seconds{over="maximum"}) > 900 and max by (service) (acervo_work_group_oldest_seconds{over="maximum"}) > 10 * max by (service) (acervo_work_group_oldest_seconds{over="median"})',
    summary: 'One group waits far longer for its work than the others.',
    fault: {
      'acervo_work_group_oldest_seconds{service="ingestion",over="maximum"}': '1500x60',
      'acervo_work_group_oldest_seconds{service="ingestion",over="median"}': '20x60',
    },
  },
  {
    alert: 'AcervoWorkGivenUp',
    severity: WARNING,
    // Most reasons are names of errors, whose series begin with their first occurrence: it increases nothing.
    expr: 'sum by (service, stage, reason) ((increase(acervo_work_given_up_total[15m]) > 0) or (acervo_work_given_up_total unless acervo_work_given_up_total offset 15m)) > 0',
    summary: 'Work of the stage {{ $labels.stage }} was given up: {{ $labels.reason }}.',
    at: '12m',
    fault: { 'acervo_work_given_up_total{service="ingestion",stage="extract",reason="TooLarge"}': '_x5 1x60' },
  },
  {
    alert: 'AcervoScansOverdue',
    severity: WARNING,
    for: '10m',
    // The default of ACERVO_RESCAN_SECONDS is shorter; 0 switches scans off.
    expr: 'max(acervo_last_scan_seconds) > 3600',
    summary: 'A folder was not scanned for more than an hour.',
    fault: { 'acervo_last_scan_seconds{service="ingestion"}': ages(3_000) },
  },
  {
    alert: 'AcervoShareUnmounted',
    severity: WARNING,
    for: '15m',
    expr: 'max(acervo_shares_unmounted) > 0',
    summary: '{{ $value }} shares are not mounted; their documents are not renewed.',
    fault: { 'acervo_shares_unmounted{service="ingestion"}': '1x60' },
  },
  {
    alert: 'AcervoComparisonOverdue',
    severity: WARNING,
    for: '10m',
    // The default of ACERVO_RECONCILE_SECONDS is shorter.
    expr: 'max(acervo_last_comparison_seconds) > 3600',
    summary: 'The stores of a group were not compared for more than an hour.',
    fault: { 'acervo_last_comparison_seconds{service="ingestion"}': ages(3_000) },
  },
  {
    alert: 'AcervoStoresDiffer',
    severity: CRITICAL,
    expr: 'sum by (kind) (increase(acervo_store_differences_total{outcome="left"}[1h])) > 0',
    summary: 'Stores differ ({{ $labels.kind }}) and were not repaired.',
    fault: { 'acervo_store_differences_total{service="ingestion",kind="chunks.missing",outcome="left"}': GROWS },
  },
  {
    alert: 'AcervoAuditUnverified',
    severity: CRITICAL,
    for: '5m',
    expr: 'time() - min(acervo_audit_verified_timestamp) > 3600',
    summary: 'The audit records of a group could not be proved for more than an hour.',
    at: '75m',
    fault: { 'acervo_audit_verified_timestamp{service="operations"}': '0x90' },
  },
  {
    alert: 'AcervoSigningKeyOld',
    severity: WARNING,
    for: '10m',
    // The default of ACERVO_SIGNING_KEY_DAYS is 30.
    expr: 'max(acervo_signing_key_age_seconds) > 31 * 86400',
    summary: 'The key that signs access tokens was not replaced.',
    fault: { 'acervo_signing_key_age_seconds{service="auth"}': `${32 * 86_400}x60` },
  },
  {
    alert: 'AcervoPepperOld',
    severity: WARNING,
    for: '10m',
    expr: 'max(acervo_pepper_age_seconds) > 365 * 86400',
    summary: 'ACERVO_KEY_PEPPER is older than a year.',
    fault: { 'acervo_pepper_age_seconds{service="auth"}': `${366 * 86_400}x60` },
  },
  {
    alert: 'AcervoMailFails',
    severity: WARNING,
    for: '10m',
    expr: 'sum(increase(acervo_mail_total{outcome=~"failed|given_up"}[15m])) > 0',
    summary: 'Mails cannot be sent.',
    fault: { 'acervo_mail_total{service="auth",outcome="failed"}': GROWS },
  },
  {
    alert: 'AcervoEmbedderPaused',
    severity: WARNING,
    for: '5m',
    expr: 'max by (service, kind) (acervo_embedder_paused) == 1',
    summary: 'The embedder fails for {{ $labels.service }} ({{ $labels.kind }}).',
    fault: { 'acervo_embedder_paused{service="retrieval",kind="query"}': '1x60' },
  },
  {
    alert: 'AcervoChatModelPaused',
    severity: WARNING,
    for: '5m',
    expr: 'max by (service) (acervo_chat_paused) == 1',
    summary: 'The chat model fails; answers quote the documents meanwhile.',
    fault: { 'acervo_chat_paused{service="chat"}': '1x60' },
  },
  {
    alert: 'AcervoShardsShort',
    severity: WARNING,
    for: '10m',
    expr: 'max(acervo_opensearch_shards{state="used"}) / max(acervo_opensearch_shards{state="limit"}) > 0.8',
    summary: 'OpenSearch has used most of its shards; groups beyond them get no index.',
    fault: {
      'acervo_opensearch_shards{service="retrieval",state="used"}': '900x60',
      'acervo_opensearch_shards{service="retrieval",state="limit"}': '1000x60',
    },
  },
  {
    alert: 'AcervoDocumentsCollected',
    severity: WARNING,
    expr: 'sum(increase(acervo_documents_collected_total[1h])) > 50',
    summary: 'Users received most of the text of many documents within an hour.',
    fault: { 'acervo_documents_collected_total{service="retrieval"}': '0x5 0+5x60' },
  },
  {
    alert: 'AcervoSpansLost',
    severity: WARNING,
    for: '15m',
    expr: 'sum by (service) (rate(acervo_spans_total{outcome="lost"}[5m])) > 0',
    summary: 'Spans of {{ $labels.service }} do not reach their receiver.',
    fault: { 'acervo_spans_total{service="gateway",outcome="lost"}': GROWS },
  },
];
