import fc from 'fast-check';
import { parameterType } from '@acervo/public-mapping';
import { parameterDefinitions } from './definitions';
import { isPrivate, type ParameterDefinition, readValue } from './values';

const choices = ['es', 'en'];

describe('the value of a parameter', () => {
  it.each<[ParameterDefinition['type'], string, string | null]>([
    ['TEXTO', ' con espacios ', ' con espacios '],
    ['TEXTO', '  ', null],
    ['ENTERO', '012', '12'],
    ['ENTERO', '-0', '0'],
    ['ENTERO', '1.0', null],
    ['ENTERO', '1e3', null],
    ['ENTERO', ' 1', null],
    ['ENTERO', '', null],
    ['DECIMAL', '0.50', '0.5'],
    ['DECIMAL', '0.000001', '0.000001'],
    ['DECIMAL', '.5', null],
    ['DECIMAL', 'NaN', null],
    ['DECIMAL', 'Infinity', null],
    ['DECIMAL', '0x1', null],
    ['LOGICO', 'true', 'true'],
    ['LOGICO', 'TRUE', null],
    ['LOGICO', '1', null],
    ['FECHA', '2024-02-29', '2024-02-29'],
    ['FECHA', '2026-02-29', null],
    ['FECHA', '2026-1-1', null],
    ['FECHA', '2026-01-01T00:00:00Z', null],
    ['OPCION', 'es', 'es'],
    ['OPCION', 'ES', null],
    ['OPCION', '', null],
    ['SECRETO', 'clave', 'clave'],
    ['SECRETO', ' ', null],
  ])('a parameter of type %s reads %j as %j', (type, text, value) => {
    expect(readValue({ type, choices }, text)).toBe(value);
  });

  it('a text value has at most 4,000 characters', () => {
    for (const type of ['TEXTO', 'SECRETO'] as const) {
      expect(readValue({ type }, 'x'.repeat(4_000))).toHaveLength(4_000);
      expect(readValue({ type }, 'x'.repeat(4_001))).toBeNull();
    }
  });

  it('a canonical value reads as itself', () => {
    const text = fc.oneof(fc.string(), fc.integer().map(String), fc.float().map(String), fc.constantFrom(...choices));
    fc.assert(
      fc.property(fc.constantFrom(...parameterType.internalCodes), text, (type, input) => {
        const value = readValue({ type, choices }, input);
        if (value !== null) expect(readValue({ type, choices }, value)).toBe(value);
      }),
    );
  });

  it('the bounds of a value are inclusive', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer(), fc.integer(), (one, other, value) => {
        const [min, max] = [Math.min(one, other), Math.max(one, other)];
        const inside = value >= min && value <= max;
        for (const type of ['ENTERO', 'DECIMAL'] as const)
          expect(readValue({ type, min, max }, String(value))).toBe(inside ? String(value) : null);
      }),
    );
  });
});

describe('the parameters of the product', () => {
  it('each parameter has a unique code and a valid default', () => {
    expect(new Set(parameterDefinitions.map(({ code }) => code)).size).toBe(parameterDefinitions.length);
    for (const definition of parameterDefinitions)
      if (definition.default !== undefined) expect(readValue(definition, definition.default)).toBe(definition.default);
  });
  it('secret parameters are private and have no default', () => {
    const secrets = parameterDefinitions.filter(({ type }) => type === 'SECRETO');
    expect(secrets).not.toHaveLength(0);
    for (const secret of secrets) expect([isPrivate(secret), secret.default]).toEqual([true, undefined]);
  });
});
