import { vectorToSql } from '@acervo/platform-database';
import type { TenantFixture } from './tenant-fixture';
import type { Group } from './tenants';

/** Rows of one table, without their group. */
export interface Rows {
  readonly table: string;
  readonly rows: readonly Readonly<Record<string, unknown>>[];
}

type Row = Rows['rows'][number];

/** A snapshot of an export with one page. */
const snapshotOf = (h: TenantFixture): Row[] => [
  { snapshot_id: h.ids.run, table_name: 'counter', page: 0, rows: [{ name: h.word }], made_at: 'infinity' },
];

const people = (h: TenantFixture, { administrator }: Group): [string, Row[]][] => {
  const name = `${h.word} ${h.word.slice(0, 3)}`;
  const roles = [
    { role_id: h.assignedRole, code: h.roleCode, name, profile: 'USUARIO' },
    { role_id: h.role, code: `free-${h.roleCode}`, name, profile: 'USUARIO' },
  ];
  const key = { user_id: h.ids.user, role_id: h.assignedRole, created_by: h.ids.user, pepper_version: 1 };
  return [
    ['auth.export_page', snapshotOf(h)],
    ['auth.entity', [h.entity, h.otherEntity, h.emptyEntity].map((code) => ({ code, name }))],
    [
      'auth.area',
      [
        { code: h.area, entity_code: h.entity, name },
        { code: h.emptyArea, entity_code: h.entity, name },
        { code: h.otherArea, entity_code: h.otherEntity, name },
      ],
    ],
    ['auth.area_location', [{ area_code: h.area, location_code: h.root }]],
    ['auth.app_user', [{ user_id: h.ids.user, email: h.user, name, state: 'ACTIVO', address_confirmed: true }]],
    ['auth.group_role', roles],
    ['auth.group_role_function', roles.map(({ role_id }) => ({ role_id, function_code: 'DOCUMENTS' }))],
    ['auth.group_role_application', roles.map(({ role_id }) => ({ role_id, application_code: 'WEB' }))],
    ['auth.user_role', [{ user_id: h.ids.user, role_id: h.assignedRole }].map((row) => ({ ...row, position: 0 }))],
    ['auth.user_entity', [h.ids.user, administrator].map((user_id) => ({ user_id, entity_code: h.entity }))],
    [
      'auth.api_key',
      [{ key_id: h.key, name, ...key, secret_hash: `\\x${Buffer.from(h.word).toString('hex')}`, created_at: 'now' }],
    ],
  ];
};

const textOf = (h: TenantFixture, { groupId }: Group): string => `group/${groupId}/text/${h.ids.document}`;

/** A result of a skill, whose task has the id of the run. */
const skillOf = (h: TenantFixture, group: Group): Row => {
  const quote = { page: null, startAt: 0, endAt: h.word.length, quote: h.word };
  return {
    ...{ document_id: h.ids.document, skill_code: 'KEY-DATES', work_id: h.ids.run, run_id: h.ids.run },
    requested_by: h.ids.user,
    ...{ requested_at: 'now', made_at: 'now', text_object: textOf(h, group), version: '1', result_key: h.word },
    result: { statements: [{ text: h.word, value: null, label: null, citations: [quote] }], dropped: 0, omitted: 0 },
  };
};

/** The result of a skill over a space, which its document gave; its task has the id of the run, too. */
const spaceSkillOf = (h: TenantFixture, group: Group): Row[] => {
  const { result, ...piece } = skillOf(h, group);
  const ran = { skill_code: 'SPACE-DIGEST', run_id: h.ids.run, requested_by: h.ids.user, requested_at: 'now' };
  const source = { documentId: h.ids.document, revision: 1, textObject: textOf(h, group) };
  return [
    { ...piece, ...ran, work_id: h.ids.document, result },
    {
      ...{ ...ran, space_id: h.space, work_id: h.ids.run, document_ids: [h.ids.document] },
      ...{ made_by_run: h.ids.run, version: '1', cited_ids: [h.ids.document], made_at: 'now' },
      result: { statements: [], dropped: 0, omitted: 0, sources: [source] },
    },
  ];
};

const documents = (h: TenantFixture, group: Group): [string, Row[]][] => {
  const [piece = {}, spaceResult = {}] = spaceSkillOf(h, group);
  const folder = { root_code: h.root, entity_code: h.entity, name: h.word, device: '1', inode: h.root };
  const ancestors = [h.location, h.root];
  const root = {
    ...folder,
    code: h.root,
    parent_code: null,
    relative_path: '',
    root_path: `/nowhere/${h.word}`,
    location_ancestors: [h.root],
  };
  const inner = {
    ...root,
    code: h.location,
    parent_code: h.root,
    relative_path: h.word,
    root_path: null,
    location_ancestors: ancestors,
  };
  const file = {
    name: `${h.word}.txt`,
    relative_path: `${h.word}.txt`,
    path: `${h.word}/${h.word}.txt`,
    size: 1,
    mtime: '1',
  };
  return [
    ['ingestion.export_page', snapshotOf(h)],
    ['ingestion.location', [root, inner]],
    ['ingestion.web_root', [{ location_code: h.root, start_urls: [`https://${h.word}.example/`], topic: h.word }]],
    [
      'ingestion.web_page',
      [{ location_code: h.root, url: `https://${h.word}.example/`, title: h.word, excerpt: h.word, terms: [h.word] }],
    ],
    [
      'ingestion.web_research_step',
      [{ location_code: h.root, journal: h.ids.run, step: 1, change: JSON.stringify({ url: h.word }) }],
    ],
    ['ingestion.run', [{ run: h.run, run_id: h.ids.run, location_code: h.root }]],
    [
      'ingestion.document',
      [
        {
          ...{
            document_id: h.ids.document,
            code: h.document,
            location_code: h.location,
            root_code: h.root,
            run: h.run,
          },
          ...{
            location_ancestors: ancestors,
            entity_code: h.entity,
            ...file,
            content_hash: h.word,
            settings_hash: 'x',
            text_object: textOf(h, group),
          },
          ...{ status: 'VECTORIZADO', summary: `Resumen ${h.word}`, title: h.word, pages: 1, chunk_count: 1 },
        },
      ],
    ],
    ['ingestion.document_skill', [skillOf(h, group), piece]],
    ['ingestion.space_skill', [spaceResult]],
  ];
};

/** A type with a boundary, a category and a feature that the document has. */
const taxonomy = (h: TenantFixture): [string, Row[]][] => {
  const type = { name: h.word, description: h.word, includes: h.word, excludes: '', rules: [] };
  const category = { code: h.featureCategory, type_code: h.documentType, name: h.word, description: h.word };
  const found = { document_id: h.ids.document, category_code: h.featureCategory, code: h.feature };
  return [
    [
      'ingestion.document_type',
      [h.documentType, h.emptyType].map((code) => ({ ...type, code, created_at: 'now', updated_at: 'now' })),
    ],
    ['ingestion.type_example', [{ type_code: h.documentType, document_id: h.ids.document }]],
    [
      'ingestion.feature_category',
      [
        {
          ...{ ...category, kind: 'ATTRIBUTE', value_kind: 'TEXT', page: `# ${h.word}`, page_at: 'now' },
          ...{ created_at: 'now', updated_at: 'now' },
        },
      ],
    ],
    [
      'ingestion.feature',
      [
        {
          ...{ category_code: h.featureCategory, code: h.feature, name: h.word, phrases: { es: [h.word] } },
          ...{ prompt: h.word, created_at: 'now', updated_at: 'now' },
        },
      ],
    ],
    [
      'ingestion.document_class',
      [
        {
          ...{ document_id: h.ids.document, content_hash: h.word, taxonomy_version: 1, type_code: h.documentType },
          ...{ source: 'RULE', score: 1, margin: 1, awaits_vector: false, classified_at: 'now' },
          evidence: [{ page: 1, startAt: 0, endAt: h.word.length, quote: h.word }],
          codes: { typeCodes: [h.documentType], attributes: [h.feature], characteristics: [] },
        },
      ],
    ],
    [
      'ingestion.document_feature',
      [{ ...found, value: h.word, source: 'RULE', confidence: 1, start_at: 0, end_at: 1, quote: h.word }],
    ],
  ];
};

const indexed = (h: TenantFixture, bucket: number): [string, Row[]][] => {
  const key = { bucket, space_id: 1, document_id: h.ids.document, generation: 1 };
  const text = `Un texto de ${h.word} sobre el agua.`;
  const embedding = vectorToSql(Float32Array.from({ length: 384 }, (_, at) => (at === h.run % 384 ? 1 : 0)));
  return [
    [
      'retrieval.location',
      [
        { code: h.root, revision: 1, removed: false, entity_code: h.entity, location_ancestors: [h.root] },
        {
          code: h.location,
          revision: 1,
          removed: false,
          entity_code: h.entity,
          location_ancestors: [h.location, h.root],
        },
      ],
    ],
    [
      'retrieval.document',
      [
        {
          ...{ document_id: h.ids.document, revision: 1, code: h.document, name: `${h.word}.txt` },
          ...{ summary: `Resumen ${h.word}`, entity_code: h.entity, location_code: h.location },
          ...{
            location_ancestors: [h.location, h.root],
            relative_path: `${h.word}.txt`,
            path: h.word,
            origin: 'CARPETA',
          },
          ...{ type_codes: [h.word], attribute_codes: [h.word], characteristic_codes: [h.word] },
        },
      ],
    ],
    ['retrieval.live', [{ ...key, chunk_count: 1 }]],
    [
      'retrieval.chunk',
      [
        {
          ...{ ...key, ordinal: 0, start_at: 0, end_at: text.length, text, context: '', language: 'es' },
          terms: `text ${h.word} agu`,
        },
      ],
    ],
    ['retrieval.vector_384', [{ ...key, ordinal: 0, embedding }]],
  ];
};

/** A space of the user with the document, which its criteria gather again. */
const spaces = (h: TenantFixture): [string, Row[]][] => [
  ['retrieval.export_page', snapshotOf(h)],
  [
    'retrieval.space',
    [
      {
        ...{ space_id: h.space, name: h.word, description: h.word, type: 'AREA', entity_code: h.entity },
        ...{ owner_id: h.ids.user, criteria: { documentTypes: [h.word] }, version: 1, requested: 1 },
        ...{ refreshed_at: '2026-01-31T00:00:00Z', refreshed_in: '3:3:' },
        ...{ created_at: '2026-01-31T00:00:00Z', updated_at: '2026-01-31T00:00:00Z' },
      },
    ],
  ],
  ['retrieval.space_member', [{ space_id: h.space, version: 1, document_id: h.ids.document }]],
];

/** A conversation of the administrator: a question, and an answer that cites the document. */
const conversations = (h: TenantFixture, { administrator }: Group): [string, Row[]][] => {
  const message = { conversation_id: h.conversation, state: 'DONE', language: 'es', text: `Texto ${h.word}.` };
  const [question, answer] = [2 * h.conversation, 2 * h.conversation + 1];
  return [
    ['chat.export_page', snapshotOf(h)],
    ['chat.deleted_user', [{ user_id: h.ids.user }]],
    [
      'chat.conversation',
      [
        {
          ...{ conversation_id: h.conversation, user_id: administrator, function_code: 'CHAT-USER', mode: 'default' },
          ...{ title: h.word, layers: [], message_count: 2 },
          ...{ created_at: '2026-01-31T00:00:00Z', updated_at: '2026-01-31T00:00:00Z' },
        },
      ],
    ],
    [
      'chat.message',
      [
        { ...message, message_id: question, author: 'USER' },
        { ...message, message_id: answer, author: 'ASSISTANT' },
      ],
    ],
    [
      'chat.citation',
      [
        {
          ...{ message_id: answer, number: 1, document_code: h.document, document_name: h.word },
          ...{ url: `https://acervo.test/${h.word}`, quote: h.word },
        },
      ],
    ],
    [
      'chat.asked_request',
      [
        {
          ...{ credential_id: h.key, request_key: '\\x01', question_hash: '\\x01', message_id: answer },
        },
      ],
    ],
    [
      'chat.support_request',
      [
        {
          ...{ code: `S${h.conversation}`, user_id: h.ids.user, conversation_id: h.conversation },
          ...{ message_id: answer, question: `Texto ${h.word}.` },
        },
      ],
    ],
  ];
};

/** A running call of a chat model, and the tokens that it counts. */
const modelCalls = (h: TenantFixture): [string, Row[]][] => {
  const period = { period_start: '2026-01-01' };
  const call = { service: 'chat', purpose: 'CHAT-ANSWER', layers: [], model: h.word, outcome: 'RUNNING' };
  return [
    ['operations.model_token_count', [{ ...period, entity_code: h.entity, used: h.run }]],
    [
      'operations.model_call',
      [
        {
          ...period,
          ...call,
          call_id: h.ids.user,
          entity_code: h.entity,
          counted: h.run,
          // Upkeep gives up calls that have ended.
          ends_by: '2126-01-31T00:00:00Z',
        },
      ],
    ],
  ];
};

/** A definition with a task, and a process of it that the administrator has started. */
const processes = (h: TenantFixture, { administrator }: Group): [string, Row[]][] => {
  const texts = { name: h.word, description: h.word };
  const made = { created_at: '2026-01-31T00:00:00Z', updated_at: '2026-01-31T00:00:00Z' };
  const definition = { ...texts, priority: 'NORMAL', position: h.run, version: 1, ...made };
  const byType = { trigger_kind: 'DOCUMENTO_CLASIFICADO', document_type_code: h.word };
  const task = { code: h.groupTask, ...texts, position: 1, assignee_id: h.ids.user, assignee: h.user };
  return [
    ['operations.export_page', snapshotOf(h)],
    [
      'operations.group_process',
      [
        { ...definition, code: h.groupProcess, trigger_kind: 'A_MANO', document_type_code: null },
        // Started by the documents that events of the fixture are about.
        { ...definition, code: `by-type-${h.groupProcess}`, ...byType },
      ],
    ],
    ['operations.group_task', [{ process_code: h.groupProcess, ...task }]],
    [
      'operations.process',
      [
        {
          ...{ code: h.process, type: 'GRUPO', subject: h.process, definition_code: h.groupProcess },
          ...{ ...texts, status: 'ABIERTO', priority: 'NORMAL', position: h.run, category: h.word },
          ...{ created_by_id: administrator, created_by: h.user, document_code: h.document, ...made },
        },
      ],
    ],
    ['operations.process_task', [{ process_code: h.process, ...task, status: 'PENDIENTE' }]],
    ...modelCalls(h),
    ['operations.started_subject', [{ subject: `deleted ${h.process}` }]],
  ];
};

/** The rows of fixtures, table by table, each after the rows that it references. */
export const fixtureRows = (fixtures: readonly TenantFixture[], group: Group, bucket: number): Rows[] => {
  const tables = new Map<string, Row[]>();
  for (const fixture of fixtures)
    for (const [table, rows] of [
      ...people(fixture, group),
      ...documents(fixture, group),
      ...taxonomy(fixture),
      ...indexed(fixture, bucket),
      ...spaces(fixture),
      ...conversations(fixture, group),
      ...processes(fixture, group),
    ])
      tables.set(table, [...(tables.get(table) ?? []), ...rows]);
  return [...tables].map(([table, rows]) => ({ table, rows }));
};
