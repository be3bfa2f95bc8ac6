// Tests of the check of decorated files, one line each.
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decoratorProblems } from './decorated-files.mjs';

const [folder, method] = ['libs/retrieval/src/spaces', 'async list(): Promise<void> {}'];

for (const [file, line] of [
  ['spaces.service.ts', '@Handles(listSpaces)'],
  ['spaces.handlers.ts', '@On(documentDescribed, { atOnce: 64 })'],
  ['refreshing.ts', '@RunsStage(REFRESH_SPACE_STAGE)'],
  ['pipeline.ts', '@RunsStages(pipelineOrder.stages)'],
])
  test(`${line} in ${file} is refused`, () => {
    assert.equal(decoratorProblems(`${folder}/${file}`, `class A {\n  ${line}\n  ${method}\n}`).length, 1);
  });

for (const [file, line] of [
  ['spaces.handlers.ts', '@Handles(listSpaces)'],
  ['user-spaces.consumer.ts', '@On(userDeletionStarted)'],
  ['refresh-space.stage.ts', '@RunsStage(REFRESH_SPACE_STAGE)'],
  ['switch.stages.ts', '@RunsStage(FLIP_STAGE)'],
  ['refreshing.ts', '// `@Handles(listSpaces)` stands in the handlers.'],
])
  test(`${line} in ${file} passes`, () => {
    assert.deepEqual(decoratorProblems(`${folder}/${file}`, `class A {\n  ${line}\n  ${method}\n}`), []);
  });

test('a problem names its line and the file that it belongs in', () => {
  assert.deepEqual(decoratorProblems('libs/auth/src/users/a.ts', '\n  @On(x)'), [
    'libs/auth/src/users/a.ts:2 has @On; such methods stand in *.consumer.ts.',
  ]);
});
