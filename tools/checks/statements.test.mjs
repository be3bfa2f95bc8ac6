import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filesHere, helpsHere, statementProblemsIn } from './statements.mjs';

/** A mistake of each kind, planted at the end of a page, with what is reported of it. */
const PLANTED = [
  ['README.md', '[gone](docs/gone.md)', /README\.md:\d+ links to docs\/gone\.md/],
  ['docs/search.md', '[gone](spaces.md#gone)', /docs\/search\.md:\d+ links to spaces\.md#gone/],
  ['docs/adr/0002-sql-stores.md', '[gone](gone.md)', /0002-sql-stores\.md:\d+ links to gone\.md/],
  ['CONTRIBUTING.md', '`libs/gone/src/gone.ts`', /CONTRIBUTING\.md:\d+ names libs\/gone\/src\/gone\.ts/],
  ['docs/running.md', '`npm start -- --gone`', /docs\/running\.md:\d+ names --gone, which npm start/],
  ['apps/cli/README.md', '`acervo gone`', /apps\/cli\/README\.md:\d+ names acervo gone/],
  ['SECURITY.md', '`ACERVO_GONE`', /SECURITY\.md:\d+ names ACERVO_GONE/],
  ['docs/operations.md', '`ACERVO_PORT` (9090)', /ACERVO_PORT is 9090 by default; it is 8080/],
  ['docs/sign-in.md', '`POST /auth/gone`', /docs\/sign-in\.md:\d+ names POST \/auth\/gone/],
  ['docs/runbook.md', '`acervo_gone_total`', /docs\/runbook\.md:\d+ names the metric acervo_gone_total/],
  ['docs/skills.md', '`spaces.gone`', /docs\/skills\.md:\d+ names spaces\.gone/],
];
/** A number of the code that changes while its page stays. */
const CHANGED = {
  path: 'libs/auth/src/credentials/session.store.ts',
  from: 'MOST_SESSIONS = 50',
  to: 'MOST_SESSIONS = 60',
};

test('mistakes that are planted in pages and code are reported, one each', () => {
  const { paths, read } = filesHere();
  const planted = new Map(PLANTED.map(([page, text]) => [page, `\n\n${text}\n`]));
  const readPlanted = (path) => {
    if (path === CHANGED.path) return read(path).replace(CHANGED.from, CHANGED.to);
    return read(path) + (planted.get(path) ?? '');
  };
  const problems = statementProblemsIn({ paths, read: readPlanted }, helpsHere());
  for (const pattern of [...PLANTED.map(([, , each]) => each), /A user has 50 sessions at most", but .* is 60/])
    assert.equal(problems.filter((problem) => pattern.test(problem)).length, 1, String(pattern));
  assert.equal(problems.length, PLANTED.length + 1);
});
