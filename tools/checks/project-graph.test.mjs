import assert from 'node:assert/strict';
import { test } from 'node:test';
import { circleIn, graphOf } from './project-graph.mjs';

test('a transitive dependency gets no arrow', () => {
  const graph = graphOf([
    { folder: 'apps/a', needs: ['libs/b', 'libs/platform/c'] },
    { folder: 'libs/b', needs: ['libs/platform/c', 'libs/platform/d'] },
    { folder: 'libs/platform/c', needs: ['libs/platform/d'] },
    { folder: 'libs/platform/d', needs: [] },
  ]);
  assert.match(graph, /apps_a --> libs_b\n/);
  assert.doesNotMatch(graph, /apps_a --> libs_platform__/);
  assert.equal(graph.match(/libs_platform__\[/g).length, 1);
});

test('a cycle is reported with the names of its projects', () => {
  const projects = [
    { folder: 'libs/a', needs: ['libs/b'] },
    { folder: 'libs/b', needs: ['libs/c'] },
    { folder: 'libs/c', needs: ['libs/b'] },
  ];
  assert.deepEqual(circleIn(projects), ['libs/b', 'libs/c', 'libs/b']);
  assert.equal(circleIn([{ folder: 'libs/a', needs: [] }]), undefined);
});
