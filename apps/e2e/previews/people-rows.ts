import { randomUUID } from 'node:crypto';
import type { Rows } from '../isolation/fixture-rows';
import { inAnHour, type Names, type State } from './state';

/** Parent of an area; it has to belong to the same entity. */
const parentOfArea = ({ areas }: State, { areas: codes }: Names, index: number): string | null => {
  const area = areas[index];
  const place = area?.parent == null || index === 0 ? null : area.parent % index;
  return place !== null && areas[place]?.entity === area?.entity ? (codes[place] ?? null) : null;
};

/** The rows of operations. A request without an answer is stored beside the answers of each user. */
export const answerRows = (state: State, names: Names): Rows => ({
  table: 'operations.idempotency',
  rows: state.users.flatMap(({ answers }, index) =>
    Array.from({ length: answers + 1 }, (_, place) => ({
      ...{ user_id: names.users[index]?.id, credential_id: randomUUID(), key: 'k', request_hash: '\\x00' },
      ...{ answer: place < answers ? {} : null, begun_at: 'now' },
    })),
  ),
});

/** The rows of chat: conversations of each user, with one question each. */
export const conversationRows = (state: State, names: Names): Rows[] => {
  const conversations = state.users.flatMap(({ conversations: count }, index) =>
    Array.from({ length: count }, (_, place) => ({
      ...{ conversation_id: 100 * names.run + 10 * index + place, user_id: names.users[index]?.id },
      ...{ function_code: 'CHAT-USER', mode: 'default', title: 'x', layers: [], message_count: 1 },
      ...{ created_at: 'now', updated_at: 'now' },
    })),
  );
  const messages = conversations.map(({ conversation_id }) => ({
    ...{ conversation_id, message_id: conversation_id, author: 'USER', state: 'DONE', language: 'es', text: 'x' },
    created_at: 'now',
  }));
  return [
    { table: 'chat.conversation', rows: conversations },
    { table: 'chat.message', rows: messages },
  ];
};

/** The rows of people, table by table. */
export const peopleRows = (state: State, names: Names): Rows[] => {
  const entityAt = (index: number): string => names.entities[index] ?? '';
  const all = state.users.map((user, index) => ({ ...user, ...(names.users[index] ?? { id: '', email: '' }) }));
  const restricted = (id: string, entityIndex: number): string | null => {
    const found = state.areas.findIndex((each) => each.restricts && each.entity === entityIndex);
    return id === names.users[0]?.id && found >= 0 ? (names.areas[found] ?? null) : null;
  };
  return [
    {
      table: 'auth.entity',
      rows: names.entities.map((code) => ({ code, name: code, description: '', system_prompt: '' })),
    },
    {
      table: 'auth.area',
      rows: state.areas.map((each, index) => ({
        ...{ code: names.areas[index], entity_code: entityAt(each.entity), name: names.areas[index] },
        parent_code: parentOfArea(state, names, index),
      })),
    },
    {
      table: 'auth.area_location',
      rows: state.areas.flatMap(({ folders }, index) =>
        folders.map((place) => ({ area_code: names.areas[index], location_code: names.folders[place] })),
      ),
    },
    {
      table: 'auth.app_user',
      rows: all.map(({ id, email, hasDefault, entities: [first] }) => ({
        ...{ user_id: id, email, name: email, state: 'ACTIVO', created_at: 'now' },
        default_entity: hasDefault && first !== undefined ? entityAt(first) : null,
      })),
    },
    {
      table: 'auth.user_role',
      rows: all.flatMap(({ id, roles }) =>
        [3, 4].slice(0, roles).map((role_id, position) => ({ user_id: id, role_id, position })),
      ),
    },
    {
      table: 'auth.user_entity',
      rows: all.flatMap(({ id, entities }) =>
        entities.map((index) => ({ user_id: id, entity_code: entityAt(index), area_code: restricted(id, index) })),
      ),
    },
    {
      table: 'auth.api_key',
      rows: all.flatMap(({ id, keys }, index) =>
        keys.map(({ fixed, area: place, revoked, maker }) => ({
          ...{
            key_id: randomUUID().slice(0, 12),
            user_id: id,
            role_id: 3,
            name: 'k',
            created_by: maker === 'owner' ? id : all[(index + 1) % all.length]?.id,
            pepper_version: 1,
          },
          ...{ secret_hash: '\\x00', created_at: 'now', revoked_at: revoked ? 'now' : null },
          fixed_entity: fixed === null ? null : entityAt(fixed),
          fixed_area: place === null ? null : (names.areas[place % Math.max(1, names.areas.length)] ?? null),
        })),
      ),
    },
    {
      table: 'auth.session',
      rows: all.flatMap(({ id, sessions }) =>
        Array.from({ length: sessions }, () => ({
          ...{ session_id: randomUUID(), user_id: id, assurance: 1, created_at: 'now', expires_at: inAnHour() },
        })),
      ),
    },
    {
      table: 'auth.factor',
      rows: all.flatMap(({ id, factors }) =>
        Array.from({ length: factors }, () => ({
          ...{ factor_id: randomUUID(), user_id: id, kind: 'totp', name: 'f', last_step: -1, sign_count: 0 },
          created_at: 'now',
        })),
      ),
    },
  ];
};
