import { functionSummary } from '@acervo/public-mapping';
import { assertEnglish, internalWords, internalWordsIn } from './english';

const SPANISH = '# Usuario final\n\nLee.\n\n- Código: USUARIO\\_FINAL\n';
const ENGLISH = '# Final user\n\nLee.\n\n- Code: FINAL\\_USER\n';

/** Every suite that uses HTTP checks each answer of `/v1` with this scan; these tests prove that the scan works. */
describe('the scan of public answers', () => {
  it('the scan contains all internal names and codes, and no public one', () => {
    const { names, codes } = internalWords();
    for (const name of ['codigo', 'motivo', 'nombre', 'codigo_entidad']) expect(names).toContain(name);
    for (const name of ['code', 'name', 'status', 'entity_code']) expect(names).not.toContain(name);
    for (const code of ['VECTORIZADO', 'EN_PROCESO', 'USUARIO', 'SEG_ADMIN_GRUPO', 'ORGANIZACION'])
      expect(codes).toContain(code);
    for (const code of ['ERROR', 'VECTORIZED', 'WEB']) expect(codes).not.toContain(code);
    expect([names.size > 50, codes.size > 40]).toEqual([true, true]);
  });

  it.each<[string, unknown, number]>([
    ['a field', { documents: [{ codigo: 'D1' }] }, 200],
    ['a code', { documents: [{ status: 'VECTORIZADO' }] }, 200],
    ['a detail', { code: 'CONFLICT', details: { motivo: 'X' } }, 409],
    ['a name among the invalid fields', { details: { invalid_fields: ['codigo_area'] } }, 422],
    ['a code within a sentence', { message: 'It is EN_PROCESO already.' }, 409],
    ['the name of a role of the product', { roles: [{ name: 'Administrador del grupo' }] }, 200],
    [
      'its description',
      { description: 'Opera la instalación entera: ve a todas las personas y actúa en cualquier grupo.' },
      200,
    ],
    ['the summary of a function of the product', { summary: functionSummary.internalCodes[0] }, 200],
    ['the document of a role of the product', { items: [{ document: SPANISH }] }, 200],
    ['a sentence of it', { items: [{ document: ENGLISH.replace('Final user', 'Usuario final') }] }, 200],
    ['the name of an application', { items: [{ name: 'Aplicación web' }] }, 200],
    ['a message of the internal routes', { message: 'El recurso solicitado no se encontró.' }, 404],
  ])('the scan finds %s', (_what, body, status) => {
    expect(internalWordsIn(body, status)).toHaveLength(1);
    expect(() => assertEnglish('/v1/x', status, JSON.stringify(body))).toThrow(/\/v1\/x answered/);
    expect(() => assertEnglish('/usuarios', status, JSON.stringify(body))).not.toThrow();
  });

  it('the scan ignores the texts of groups', () => {
    const chunk = { text: 'El USUARIO ve el codigo DETECTADO.' };
    expect(internalWordsIn({ documents: [{ name: 'USUARIO', chunks: [chunk] }] }, 200)).toEqual([]);
    const documents = [ENGLISH, '# Usuario final\n\n- Código: LECTOR\n', '# Documentos'];
    expect(internalWordsIn({ items: documents.map((document) => ({ document })) }, 200)).toEqual([]);
  });
});
