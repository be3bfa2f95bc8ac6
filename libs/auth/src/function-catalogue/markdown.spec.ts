import fc from 'fast-check';
import { manageUsers } from './content/manage-users';
import { compileFunction, compileRole, type DescribedFunction } from './markdown';

const hostile = fc.string({
  unit: fc.constantFrom(
    '#',
    '<',
    '>',
    '[',
    ']',
    '`',
    '*',
    '_',
    '-',
    '\n',
    ' ',
    'a',
    '1',
    '.',
    '|',
    '\\',
    '~',
    '+',
    '=',
  ),
});

const described = (over: Partial<DescribedFunction>): DescribedFunction => ({ ...manageUsers, ...over });

describe('the document of a function', () => {
  it("a function's document contains its name, its sections and their behaviours", () => {
    const document = compileFunction(manageUsers);
    expect(document).toMatch(/^# Gestión de usuarios\n\nAlta, baja y permisos/);
    expect(document).toContain('- Código: MANAGE\\_USERS\n- Alias: Usuarios\n- Dirección: /administracion/usuarios\n');
    expect(document).toContain('## Baja definitiva\n\nBorrar una cuenta');
    expect(document).toContain('### En segundo plano\n\n- Si la cuenta se crea sin contraseña');
    expect(document.indexOf('## Lista de personas')).toBeLessThan(document.indexOf('## Ficha de la persona'));
  });
  it('text in a function never adds a heading to its document', () => {
    fc.assert(
      fc.property(hostile, hostile, (name, text) => {
        const document = compileFunction(
          described({ name, summary: text, sections: [{ title: `T${name}`, text }], behaviours: [] }),
        );
        expect(document.split('\n').filter((line) => /^#+ /.test(line)).length).toBe(2);
        expect(document).not.toMatch(/(?<!\\)[<>[\]`*]/);
        expect(document).not.toMatch(/\n\n\n/);
      }),
    );
  });
});

describe('the document of a role', () => {
  it("a role's document contains its level, applications and functions", () => {
    const document = compileRole({
      code: 'LECTOR',
      name: 'Lector',
      description: 'Lee.',
      profile: 'USUARIO',
      functions: [{ name: 'Documentos', url: '/documentos', description: 'Lista de documentos.' }],
      applications: [],
    });
    expect(document).toBe(
      '# Lector\n\nLee.\n\n- Código: LECTOR\n- Nivel de acceso: usuario\n\n## Aplicaciones\n\nNinguna todavía.\n\n## Funciones\n\n- **Documentos** (/documentos): Lista de documentos.\n',
    );
  });
});
