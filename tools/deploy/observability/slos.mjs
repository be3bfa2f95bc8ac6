// What users are promised over 28 days, and the rules that tell how fast the rest of it is used up.

const v1 = (status) => `acervo_http_request_seconds_count{route=~"/v1/.*",${status}}`;
const search = 'route="/v1/documents/search",status="200"';
const login = 'route="/auth/login"';

const sum = (series) => (window) => `sum(rate(${series}[${window}]))`;
/** What took longer than a bucket says. Prometheus 3 writes `le="1"` as `le="1.0"`. */
const slowerThan = (histogram, seconds, matchers = '') => {
  const le = `le=~"${seconds}(\\\\.0)?"`;
  const bucket = `${histogram}_bucket{${[matchers, le].filter((part) => part !== '').join(',')}}`;
  const count = `${histogram}_count${matchers === '' ? '' : `{${matchers}}`}`;
  return {
    errors: (window) => `${sum(count)(window)} - ${sum(bucket)(window)}`,
    total: sum(count),
  };
};

/** `objective` is the share that has to be good; `errors` and `total` are expressions over a window. */
export const SLOS = [
  {
    slo: 'answers',
    about: 'requests of /v1 that are answered, and not by 5xx',
    objective: 0.999,
    errors: sum(v1('status=~"5.."')),
    total: sum(v1('status!="aborted"')),
  },
  {
    slo: 'search-time',
    about: 'searches that are answered within 1 s',
    objective: 0.99,
    ...slowerThan('acervo_http_request_seconds', 1, search),
  },
  {
    slo: 'search-legs',
    about: 'searches that are answered from words and from meaning',
    objective: 0.99,
    errors: sum('acervo_leg_left_out_total'),
    // Each search asks two legs.
    total: (window) => `(${sum('acervo_leg_seconds_count')(window)} / 2)`,
  },
  {
    slo: 'sign-in',
    about: 'logins that are answered, and not by 5xx',
    objective: 0.999,
    errors: sum(`acervo_http_request_seconds_count{${login},status=~"5.."}`),
    total: sum(`acervo_http_request_seconds_count{${login},status!="aborted"}`),
  },
  {
    slo: 'events',
    about: 'events that are first handled within 30 s',
    objective: 0.995,
    ...slowerThan('acervo_event_wait_seconds', 30),
  },
  {
    slo: 'documents',
    about: 'documents that are searchable within 60 s of the scan that found them',
    objective: 0.95,
    ...slowerThan('acervo_document_searchable_seconds', 60),
  },
];

const WINDOWS = ['5m', '30m', '1h', '6h', '3d'];

/** A budget of 28 days that is used up in two days, in five, and in 28. */
const BURNS = [
  { burn: 14.4, long: '1h', short: '5m', severity: 'critical', alert: 'AcervoBudgetBurnsFast' },
  { burn: 6, long: '6h', short: '30m', severity: 'critical', alert: 'AcervoBudgetBurns' },
  { burn: 1, long: '3d', short: '6h', severity: 'warning', alert: 'AcervoBudgetShrinks' },
];

const recorded = (slo, window) => `acervo:slo_errors:ratio_rate${window}{slo="${slo}"}`;

export const recordingRules = SLOS.flatMap(({ slo, errors, total }) =>
  WINDOWS.map((window) => ({
    record: `acervo:slo_errors:ratio_rate${window}`,
    expr: `(${errors(window)}) / ${total(window)}`,
    labels: { slo },
  })),
);

const rounded = (value) => Number(value.toPrecision(6));

/** One alert for each pace, over all promises: the label `slo` names the promise. */
export const burnAlerts = BURNS.map(({ burn, long, short, severity, alert }) => ({
  alert,
  severity,
  for: '2m',
  expr: SLOS.map(({ slo, objective }) => {
    const limit = rounded(burn * (1 - objective));
    return `(${recorded(slo, long)} > ${limit} and on (slo) ${recorded(slo, short)} > ${limit})`;
  }).join(' or '),
  summary: `The budget of errors of {{ $labels.slo }} is used up ${burn} times as fast as it may be.`,
}));
