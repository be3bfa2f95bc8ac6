// Mistakes that the gate must notice, and by which of its steps.

/**
 * `replaced` stands once in the file; an empty one means that `replacement` follows the file. `noticed` names the step:
 * `suite` a path of Jest, `types` or `lint` a project.
 */
export const MISTAKES = [
  {
    name: 'a predicate of visibility is dropped',
    file: 'libs/rbac/src/visibility.ts',
    replaced: '    `${alias}.entity_code = any(${next(visibility.entities)}::text[])`,\n',
    replacement: '',
    noticed: { suite: 'libs/retrieval/test/visible-chunks.spec.ts' },
  },
  {
    name: 'an event is lost',
    file: 'libs/platform/messaging/src/embedded-relay.ts',
    replaced: 'from moved where ${isWanted} order by id)',
    replacement: 'from moved where ${isWanted} order by id offset 1)',
    noticed: { suite: 'libs/platform/messaging/test/embedded.spec.ts' },
  },
  {
    name: 'a probe waits for its engine',
    file: 'libs/platform/http/src/health/health.controller.ts',
    replaced: '    const { status, details } = await this.checked();\n',
    replacement:
      '    await Promise.all(this.monitor.all.map(({ check }) => check.check()));\n' +
      '    const { status, details } = await this.checked();\n',
    noticed: { suite: 'libs/platform/http/test/listeners.spec.ts' },
  },
  {
    name: 'a drain closes at once',
    file: 'libs/platform/service/src/boot/stop.ts',
    replaced: '  await pause(drainMs);\n',
    replacement: '',
    noticed: { suite: 'libs/platform/service/src/boot/stop.spec.ts' },
  },
  {
    name: 'a spec has an error of types',
    file: 'libs/rbac/src/rbac.spec.ts',
    replaced: '',
    replacement: "\nexport const planted: number = 'text';\n",
    noticed: { types: 'libs/rbac' },
  },
  {
    name: 'a service imports another one',
    file: 'libs/retrieval/src/index.ts',
    replaced: '',
    replacement: "\nexport * from '@acervo/ingestion';\n",
    noticed: { lint: 'libs/retrieval' },
  },
];
