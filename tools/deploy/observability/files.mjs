// The files of deploy/observability: rules for Prometheus, the same as an object of its operator, tests, dashboards.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { format } from 'prettier';
import yaml from 'yaml';
import { root } from '../../lib/options.mjs';
import { alertsOf } from './alerts.mjs';
import { DASHBOARDS, dashboardJson } from './dashboards.mjs';
import { recordingRules } from './slos.mjs';

export const FOLDER = join(root, 'deploy', 'observability');
export const RULES = join(FOLDER, 'rules.yaml');
export const TESTS = join(FOLDER, 'rules.test.yaml');

const anchor = (alert) => `docs/runbook.md#${alert.toLowerCase()}`;

const ruleOf = ({ alert, severity, expr, for: duration, summary }) => ({
  alert,
  expr,
  ...(duration === undefined ? {} : { for: duration }),
  labels: { severity },
  annotations: { summary, runbook: anchor(alert) },
});

const groupsOf = (services) => [
  { name: 'acervo-promises', interval: '30s', rules: recordingRules },
  { name: 'acervo-alerts', interval: '30s', rules: alertsOf(services).map(ruleOf) },
];

/** What a sound installation publishes: no alert fires on it. */
const sound = (services) => ({
  ...Object.fromEntries(
    services.map((service) => [`acervo_build_info{service="${service}",version="0.1.0"}`, '1x1000']),
  ),
  'acervo_ready{service="gateway",check="database"}': '1x1000',
  'acervo_http_request_seconds_count{service="auth",method="POST",route="/auth/login",status="200"}': '0+1x1000',
});

const FIRING = 'group by (alertname) (ALERTS{alertstate="firing"})';

const testOf = (name, at, series, firing) => ({
  name,
  interval: '1m',
  input_series: Object.entries(series).map(([each, values]) => ({ series: each, values })),
  promql_expr_test: [
    {
      expr: FIRING,
      eval_time: at,
      exp_samples: firing.toSorted().map((alertname) => ({ labels: `{alertname="${alertname}"}`, value: 1 })),
    },
  ],
});

/** Each alert fires in its fault and in no other. */
const testsOf = (services) => [
  testOf('a sound installation', '50m', sound(services), []),
  ...alertsOf(services).map(({ alert, fault, without, at = '50m', also = [] }) => {
    const series = { ...sound(services.filter((service) => service !== without)), ...fault };
    return testOf(alert, at, series, [alert, ...also]);
  }),
];

const NOTE = '# Written by node tools/deploy.mjs, from tools/deploy/observability.\n';
const yamlOf = (content) => format(`${NOTE}${yaml.stringify(content)}`, { ...OPTIONS, parser: 'yaml' });
const OPTIONS = JSON.parse(readFileSync(join(root, '.prettierrc'), 'utf8'));

/** Paths and contents of all files. @param services the names of all services */
export const observabilityFiles = async (services) => {
  const groups = groupsOf(services);
  const metadata = { name: 'acervo', labels: { 'app.kubernetes.io/part-of': 'acervo' } };
  const object = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata, spec: { groups } };
  const tests = { rule_files: ['rules.yaml'], evaluation_interval: '1m', tests: testsOf(services) };
  return new Map([
    [RULES, await yamlOf({ groups })],
    [join(FOLDER, 'prometheus-rule.yaml'), await yamlOf(object)],
    [TESTS, await yamlOf(tests)],
    ...(await Promise.all(
      DASHBOARDS.map(async (each) => [
        join(FOLDER, 'dashboards', `${each.uid.replace('acervo-', '')}.json`),
        await format(JSON.stringify(dashboardJson(each)), { ...OPTIONS, parser: 'json' }),
      ]),
    )),
  ]);
};
