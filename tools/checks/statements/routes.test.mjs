import assert from 'node:assert/strict';
import { test } from 'node:test';
import { codeProblems, codesIn } from './codes.mjs';
import { metricProblems, metricsOf, routeProblems, routesOf } from './routes.mjs';

const routes = routesOf(
  [
    "@Controller('v1/operations')\nclass A {\n  @Get()\n  @Get(':code')\n  @Post(':code\\\\:execute')\n}",
    "@Controller('roles/:id')\nclass B {\n  @Delete('users/:user')\n}",
    '@Controller(PAGES)\nclass C {\n  @Get()\n}',
  ],
  "export const PAGES = '/app/pages';",
);

test('routes of controllers pass: with names or values of parameters, without /v1, and by their beginning', () => {
  const text = [
    '`GET /v1/operations?q=a`, `POST /v1/operations/{code}:execute`, `GET /operations/{code}`, `DELETE /roles/{id}/users/{user}`,',
    '`/v1`, `/v1/operations`, `/app/pages`, `/srv/documents`',
    '',
    '| Method | Path |\n| --- | --- |\n| GET | /app/pages |',
    '',
    '    curl "$URL/v1/operations/spaces.create:execute"',
  ].join('\n');
  assert.deepEqual(routeProblems('docs/a.md', text, routes), []);
});

for (const text of [
  '`POST /v1/operations`',
  '`GET /v1/gone`',
  '`/v1/operations/{code}/gone`',
  '| Method | Path |\n| --- | --- |\n| GET | /roles/{id}/users/{user} |',
  '    curl "$URL/v1/gone"',
])
  test(`a route that does not exist is reported: ${text}`, () => {
    assert.equal(routeProblems('docs/a.md', text, routes).length, 1);
  });

test('a metric that docs/metrics.md does not list is reported', () => {
  const metrics = metricsOf('| `acervo_call_seconds` | histogram |\n| `acervo_ready` | gauge |\n');
  assert.deepEqual(
    metricProblems('docs/a.md', '`acervo_call_seconds_count`, `acervo_ready{x="1"}`, `acervo_*`', metrics),
    [],
  );
  assert.equal(metricProblems('docs/a.md', '`acervo_gone_total`, `acervo_ready_bucket`', metrics).length, 2);
});

test('a code that no contract declares is reported', () => {
  const codes = codesIn(["call('spaces.create')"]);
  assert.deepEqual(codeProblems('docs/a.md', '`spaces.create` and `file.name`', codes), []);
  assert.equal(codeProblems('docs/a.md', '`spaces.gone`', codes).length, 1);
});
