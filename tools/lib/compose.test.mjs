// Tests of the check of docker/compose.yaml, one mistake each.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import yaml from 'yaml';
import { composeProblems, embedderProblems, facts } from './compose.mjs';
import { root } from './options.mjs';

const source = readFileSync(join(root, 'docker', 'compose.yaml'), 'utf8');
const expected = facts();
const problemsOf = (text, more = {}) =>
  composeProblems(text, { ...expected, ...more }).map((problem) => problem.replace('docker/compose.yaml: ', ''));

/** The file without the first line that contains a text after another one. */
const without = (after, line) => {
  const from = source.indexOf(line, source.indexOf(`\n  ${after}:\n`));
  assert.notEqual(from, -1, `${line} does not stand there`);
  const begin = source.lastIndexOf('\n', from);
  return source.slice(0, begin) + source.slice(source.indexOf('\n', from));
};
const withMore = (after, line) => source.replace(`\n  ${after}:\n`, `\n  ${after}:\n${line}\n`);

test('the compose file and its embedder pass the check', () => {
  assert.deepEqual([problemsOf(source), embedderProblems()], [[], []]);
});

test('a missing required setting or secret is reported', () => {
  const missed = (service, name) => problemsOf(without(service, `${name}_FILE`))[0];
  for (const [service, name] of [
    ['auth', 'ACERVO_KEY_PEPPER'],
    ['ingestion', 'ACERVO_CURSOR_KEY'],
    ['retrieval', 'ACERVO_CURSOR_KEY'],
    ['operations', 'ACERVO_AUDIT_KEY'],
    ['gateway', 'ACERVO_DATABASE_APP_PASSWORD'],
    ['retrieval', 'ACERVO_DATABASE_OWNER_PASSWORD'],
    ['ingestion', 'ACERVO_DATABASE_RECONCILER_PASSWORD'],
    ['migrate', 'ACERVO_DATABASE_ADMIN_PASSWORD'],
  ])
    assert.equal(missed(service, name), `${service} needs ${name} and does not get it.`);
  const embedded = problemsOf(source.replace('ACERVO_QUEUE: redis', 'ACERVO_QUEUE: postgresql'));
  assert.ok(embedded.includes('auth needs ACERVO_DATABASE_QUEUE_PASSWORD and does not get it.'));
});

test('open, surplus and missing secrets and unread settings are refused', () => {
  const open = source.replace('ACERVO_REDIS_PASSWORD_FILE: /run/secrets/redis', 'ACERVO_REDIS_PASSWORD: known');
  assert.ok(
    problemsOf(open).includes(
      'gateway gets ACERVO_REDIS_PASSWORD openly; name a file with ACERVO_REDIS_PASSWORD_FILE.',
    ),
  );
  assert.ok(problemsOf(open).includes('gateway is given redis and does not read it.'));
  assert.deepEqual(problemsOf(without('auth', '- key_pepper')), ['auth reads key_pepper and is not given it.']);
  const unread = withMore('gateway', '    x: y').replace('ACERVO_TRACE_SHARE: ', 'ACERVO_TRACE_PART: ');
  assert.ok(problemsOf(unread).includes('gateway gets ACERVO_TRACE_PART, which it does not read.'));
});

test('undocumented variables and required variables without value are refused', () => {
  const renamed = source.replace('${ACERVO_LOG_LEVEL:-}', '${ACERVO_LOUDNESS:-}');
  assert.deepEqual(problemsOf(renamed), [
    'ACERVO_LOUDNESS is read and does not stand in docker/.env.example.',
    'ACERVO_LOG_LEVEL stands in docker/.env.example and is not read.',
  ]);
  const example = expected.example.replace('ACERVO_S3_PORT=7070', '# ACERVO_S3_PORT=7070');
  assert.deepEqual(problemsOf(source, { example }), ['ACERVO_S3_PORT has no value in docker/.env.example.']);
});

test('the script creates all missing secrets and keeps existing ones', () => {
  const directory = mkdtempSync(join(tmpdir(), 'acervo-secrets-'));
  try {
    writeFileSync(join(directory, 'redis'), 'of before');
    const { status } = spawnSync('sh', [join(root, 'docker', 'make-secrets.sh'), directory]);
    const read = (name) => readFileSync(join(directory, name), 'utf8');
    const { secrets } = yaml.parse(source, { merge: true });
    assert.deepEqual([status, readdirSync(directory).sort()], [0, Object.keys(secrets).sort()]);
    assert.deepEqual([read('redis'), read('smtp_url'), statSync(directory).mode & 0o777], ['of before', '', 0o700]);
    assert.match(read('key_pepper'), /^[0-9a-f]{48}$/);
    assert.notEqual(read('key_pepper'), read('audit_key'));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
});
