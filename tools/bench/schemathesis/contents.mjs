// What the product contains before the requests: one thing of each kind at least, so that requests reach more than refusals.
const COPIES = 4;

/** Answers of the product that must succeed. */
const asker = (program) => {
  const ask = async (method, path, body) => {
    const answer = await program.ask(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  const execute = async (code, input) =>
    (await ask('POST', `/v1/operations/${code}:execute`, { input, confirm: true })).result;
  return { ask, execute };
};

const codesOf = (prefix) => Array.from({ length: COPIES }, (_, index) => `${prefix}${index + 1}`);

/** Types, of which each has a category with a feature; they have the same number in their codes. */
const classify = async (execute) => {
  const codes = codesOf('');
  for (const code of codes) {
    await execute('document_types.create', { code: `TYPE${code}`, name: 'Acta' });
    await execute('document_types.add_category', {
      ...{ document_type_code: `TYPE${code}`, code: `CATEGORY${code}`, name: 'Fechas', kind: 'ATTRIBUTE' },
    });
    await execute('document_types.add_feature', {
      category_code: `CATEGORY${code}`,
      code: `FEATURE${code}`,
      name: 'Día',
    });
  }
  return {
    document_type: codes.map((code) => `TYPE${code}`),
    feature_category: codes.map((code) => `CATEGORY${code}`),
    feature: codes.map((code) => `FEATURE${code}`),
  };
};

/** Definitions with the same two tasks, and processes of them. */
const startProcesses = async (execute) => {
  const definitions = codesOf('RENEW');
  const processes = [];
  for (const process_code of definitions) {
    await execute('group_processes.create', { process_code, name: 'Renovar' });
    for (const task_code of ['READ', 'SIGN'])
      await execute('group_tasks.create', { process_code, task_code, name: 'Leer' });
    for (const _ of [1, 2])
      processes.push((await execute('group_processes.update', { process_code, start: true })).started_process);
  }
  return { group_process: definitions, group_task: ['READ', 'SIGN'], process: processes };
};

const people = async (execute) => {
  const users = codesOf('user').map((name) => `${name}@example.org`);
  for (const code of users) await execute('users.create', { code, name: 'Ana' });
  const areas = codesOf('A');
  for (const code of areas) await execute('areas.create', { entity_code: 'E1', code, name: 'Riegos' });
  const { items: roles } = await execute('roles.list', {});
  return { user: users, area: areas, entity: ['E1'], role: roles.map(({ code }) => code), group: ['G1'] };
};

const converse = async (ask) => {
  const conversations = [];
  for (const _ of codesOf(''))
    conversations.push(
      (await ask('POST', '/v1/ask', { question: '¿Qué dice el acta del agua de riego?' })).conversation_id,
    );
  return { conversation: conversations };
};

const gatherSpaces = async (execute) => {
  const spaces = [];
  for (const name of ['*', 'acta-1*', 'acta-2*', 'acta-3*'])
    spaces.push((await execute('spaces.create', { name: 'Actas', criteria: { name } })).space_id);
  return { space: spaces };
};

/** Fills the product; answers the identifiers of everything in it by kind. @param second a folder that may be added */
export const fillProduct = async (program, second) => {
  const { ask, execute } = asker(program);
  await execute('locations.create', { path: second });
  const { documents } = await ask('GET', '/v1/documents?limit=12');
  const { locations } = await ask('GET', '/v1/locations');
  const { runs } = await ask('GET', '/v1/runs');
  const { skills } = await ask('GET', '/v1/skills');
  const { operations } = await ask('GET', '/v1/operations');
  const { tools } = await ask('GET', '/v1/agent/context');
  return {
    document: documents.map(({ code }) => code),
    location: locations.map(({ code }) => code),
    root: locations.filter(({ parent_code: parent }) => parent === null).map(({ code }) => code),
    run: runs.map(({ run }) => run),
    skill: skills.map(({ code }) => code),
    operation: operations.map(({ code }) => code),
    tool: tools.map(({ public_name }) => public_name),
    function: ['DOCUMENTS', 'CHAT-USER'],
    parameter: ['LANGUAGE'],
    ...(await classify(execute)),
    ...(await startProcesses(execute)),
    ...(await people(execute)),
    ...(await converse(ask)),
    ...(await gatherSpaces(execute)),
  };
};
