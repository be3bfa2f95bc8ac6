import { FieldMappingMissing, vocabulary } from '@acervo/public-mapping';
import { InvalidInput, InvalidMeaning } from '../errors';
import { Choice, Code, decode, encode, inputSchemaOf, Int, jsonSchemaOf, ListOf, Mode, Text } from './index';

const states = vocabulary('test_state', { ABIERTO: 'OPEN', CERRADO: 'CLOSED' });

class Part {
  @Text({ wire: 'texto', max: 10, description: 'A text' }) readonly text!: string;
}
class Record {
  @Code({ wire: 'codigo', description: 'A code' }) readonly code!: string;
  @Int({ published: false, wire: 'id_rol', optional: true, description: 'A number' }) readonly roleId?: number;
  @Code({ published: 'required', wire: 'codigo_rol', optional: true, description: 'A role' })
  readonly roleCode?: string;
  @Choice(states.internalCodes, { publicly: states, wire: 'estado', nullable: true, description: 'A state' })
  readonly state!: string | null;
  @ListOf(() => Part, { wire: 'partes', max: 3, description: 'Parts' }) readonly parts!: readonly Part[];
}
class Reading {
  @Mode(['count', 'text'], { default: 'count', wire: 'modo', description: 'A mode' }) readonly mode!: string;
}
class Unmapped {
  @Choice(['ABIERTO'], { description: 'A state' }) readonly state!: string;
}

const inside = { code: 'C', roleId: 7, roleCode: 'R', state: 'CERRADO', parts: [{ text: 't' }] };
const outside = { code: 'C', role_code: 'R', state: 'CLOSED', parts: [{ text: 't' }] };
const onPublic = { closed: true, representation: 'public' } as const;

describe('the public representation of a class', () => {
  it('the public object has English names and only published fields', () => {
    expect(encode(Record, inside, 'public')).toEqual(outside);
  });
  it('the wire representation stays unchanged', () => {
    expect(encode(Record, inside)).toEqual({
      ...{ codigo: 'C', id_rol: 7, codigo_rol: 'R', estado: 'CERRADO' },
      partes: [{ texto: 't' }],
    });
  });
  it('a public object is read back', () => {
    const { roleId: _unpublished, ...rest } = inside;
    expect({ ...decode(Record, outside, onPublic) }).toEqual(rest);
  });
  it.each([
    ['a wire name', { ...outside, codigo: 'x' }, { unknown_field_count: 1 }],
    ['an unpublished field', { ...outside, role_id: 7 }, { unknown_field_count: 1 }],
    ['a wire code', { ...outside, state: 'CERRADO' }, { invalid_fields: ['state'] }],
    ['a missing required field', { ...outside, role_code: undefined }, { missing_fields: ['role_code'] }],
    ['an invalid nested object', { ...outside, parts: [{ text: 1 }] }, { invalid_fields: ['parts.text'] }],
  ])('a public object with %s is refused by declared names only', (_what, input, details) => {
    const raw = JSON.parse(JSON.stringify(input)) as object;
    expect(() => decode(Record, raw, onPublic)).toThrow(expect.objectContaining({ details }) as Error);
    expect(() => decode(Record, raw, onPublic)).toThrow(InvalidInput);
  });
  it('codes without public names fail closed', () => {
    expect(() => encode(Unmapped, { state: 'ABIERTO' }, 'public')).toThrow(FieldMappingMissing);
    expect(() => jsonSchemaOf(Unmapped, 'public')).toThrow(FieldMappingMissing);
    expect(encode(Unmapped, { state: 'ABIERTO' })).toEqual({ state: 'ABIERTO' });
  });
  it('the JSON schema is closed, with nested schemas inline', () => {
    expect(jsonSchemaOf(Record, 'public')).toEqual({
      type: 'object',
      properties: {
        code: { type: 'string', minLength: 1, maxLength: 120, description: 'A code' },
        role_code: { type: 'string', minLength: 1, maxLength: 120, description: 'A role' },
        state: { type: ['string', 'null'], enum: ['OPEN', 'CLOSED', null], description: 'A state' },
        parts: {
          type: 'array',
          maxItems: 3,
          description: 'Parts',
          items: {
            type: 'object',
            properties: { text: { type: 'string', minLength: 0, maxLength: 10, description: 'A text' } },
            required: ['text'],
            additionalProperties: false,
          },
        },
      },
      required: ['code', 'role_code', 'state', 'parts'],
      additionalProperties: false,
    });
  });
  it('the words of a mode are published as they stand', () => {
    expect(encode(Reading, { mode: 'text' }, 'public')).toEqual({ mode: 'text' });
    expect(decode(Reading, { mode: 'text' }, onPublic)).toEqual({ mode: 'text' });
    expect(decode(Reading, {}, onPublic)).toEqual({ mode: 'count' });
    expect(() => decode(Reading, { mode: 'whole' }, onPublic)).toThrow(InvalidMeaning);
    expect(jsonSchemaOf(Reading, 'public')).toMatchObject({
      properties: { mode: { type: 'string', enum: ['count', 'text'], default: 'count', description: 'A mode' } },
      required: [],
    });
  });
  it('the schema of an input lets null stand for an absent value', () => {
    const read: unknown = inputSchemaOf(Reading, 'public')['properties'];
    expect(read).toMatchObject({ mode: { type: ['string', 'null'], enum: ['count', 'text', null] } });
    expect(inputSchemaOf(Record, 'public')).toEqual(jsonSchemaOf(Record, 'public'));
  });
});
