import assert from 'node:assert/strict';
import { test } from 'node:test';
import { anchorsOf, fileProblems, linkProblems } from './links.mjs';

const names = [
  'docs',
  'docs/a.md',
  'docs/b.md',
  'libs/x/src/read.ts',
  'libs/x/test/kills.nightly.spec.ts',
  'tools/checks.mjs',
];
const tree = {
  has: (path) => names.includes(path),
  some: (pattern) => names.some((name) => pattern.test(name)),
  text: () => '# Title\n\n## What `a` is, and (not) b\n\n## Twice\n\n## Twice\n',
};

test('anchors are those of GitHub, also of repeated headings', () => {
  assert.deepEqual([...anchorsOf(tree.text())], ['title', 'what-a-is-and-not-b', 'twice', 'twice-1']);
});

test('links to files and headings that exist pass', () => {
  const text =
    '[b](b.md), [`b`](b.md#twice-1), [here](#title), [site](https://site.example/c.md)\n\n    [code](gone.md)\n';
  assert.deepEqual(linkProblems('docs/a.md', text, tree), []);
});

for (const [text, problem] of [
  ['[c](c.md)', /docs\/a\.md:1 links to c\.md, which does not exist/],
  ['[b](b.md#thrice)', /docs\/b\.md has no such heading/],
  ['[here](#thrice)', /docs\/a\.md has no such heading/],
])
  test(`a broken link is reported: ${text}`, () => {
    const problems = linkProblems('docs/a.md', text, tree);
    assert.equal(problems.length, 1);
    assert.match(problems[0], problem);
  });

test('files pass by path, by pattern, as built, and by the end of their path', () => {
  const text =
    '`libs/x/src/read.ts:12` `libs/*/src/*.ts` `libs/<service>/src` `libs/x/dist/read.js` `tools/checks.mjs --all` `x/src/read.ts` `*.nightly.spec.ts` `people.json`';
  const wider = { ...tree, some: (pattern) => [...names, 'libs/x/src'].some((name) => pattern.test(name)) };
  assert.deepEqual(fileProblems('docs/a.md', text, wider), []);
});

for (const text of ['`libs/x/src/gone.ts`', '`gone.spec.ts`', '`libs/*/test/gone-*.ts`', '`tools/gone.mjs --all`'])
  test(`a missing file is reported: ${text}`, () => {
    assert.equal(fileProblems('docs/a.md', text, tree).length, 1);
  });

test('a fence behind an indented block begins a block, and the page behind it is prose again', () => {
  const text = '    npm install\n\n```sh\n[code](gone.md)\n```\n\n[prose](gone.md)\n';
  assert.deepEqual(
    linkProblems('docs/a.md', text, tree).map((problem) => problem.split(' ')[0]),
    ['docs/a.md:7'],
  );
});
