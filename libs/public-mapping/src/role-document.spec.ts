import { functionDescription, functionName, roleDescription, roleDocument, roleName } from './index';

const document = (over: { code?: string; level?: string; heading?: string; description?: string } = {}): string => {
  const { code = 'USUARIO\\_FINAL', level = 'usuario', heading = 'Funciones', description = 'Lee.' } = over;
  return [
    '# Usuario final',
    '',
    description,
    '',
    `- Código: ${code}`,
    `- Nivel de acceso: ${level}`,
    '',
    '## Aplicaciones',
    '',
    '- Aplicación web',
    '- Otra',
    '',
    `## ${heading}`,
    '',
    '- **Mi sesión** (/sesion): Escrita por otra persona.',
    '- **Propia** (/x\\_y): Propia.',
    '',
  ].join('\n');
};

describe('the document of a role', () => {
  it('texts of the product are English, and all others stay as they were written', () => {
    expect(roleDocument.toPublic(document()).split('\n')).toEqual([
      '# Final user',
      '',
      'Lee.',
      '',
      '- Code: FINAL\\_USER',
      '- Access level: user',
      '',
      '## Applications',
      '',
      '- Web application',
      '- Otra',
      '',
      '## Functions',
      '',
      '- **My session** (/sesion): Escrita por otra persona.',
      '- **Propia** (/x\\_y): Propia.',
      '',
    ]);
  });
  it('an empty list of applications or functions is English', () => {
    expect(roleDocument.toPublic(document().replace('- Otra', 'Ninguna todavía.'))).toContain('\nNone yet.\n');
  });
  it.each(['# Mi rol\n\nTexto', document({ code: 'LECTOR' }), document({ code: '' }), ''])(
    'the document of another role stays as it is',
    (written) => expect(roleDocument.toPublic(written)).toBe(written),
  );
  it.each([{ level: 'invitado' }, { heading: 'Procesos' }, { heading: 'constructor' }])(
    'a product document with an unknown word fails closed',
    (over) => {
      expect(() => roleDocument.toPublic(document(over))).toThrow(
        expect.objectContaining({ code: 'PUBLIC_CODE_MAPPING_MISSING' }) as Error,
      );
    },
  );
  it('no English text is markup', () => {
    const texts = [roleName, roleDescription, functionName, functionDescription].flatMap((each) => each.publicCodes);
    expect(texts.filter((text) => /[\\`*_[\]<>#|~]|^[-+=\d]/.test(text))).toEqual([]);
    expect(texts.filter((text) => /[áéíóúñ]/i.test(text))).toEqual([]);
  });
});
