import { InlineSource } from '../src/inline-source';
import { pdfFile, type PdfFacts, textPage } from './support/pdf-file';

const PLACEHOLDER = textPage('Please wait... Your viewer may not be able to display this document.');
const read = async (facts: PdfFacts): Promise<string> =>
  (await new InlineSource().extract({ name: 'a.pdf', bytes: pdfFile([PLACEHOLDER], facts) })).document.text;

const text = (content: string): string => `<text>${content}</text>`;
const field = (name: string, caption: string, more = ''): string =>
  `<field name="${name}"><caption><value>${text(caption)}</value></caption>${more}</field>`;
const draw = (content: string): string => `<draw><value>${text(content)}</value></draw>`;
const templateOf = (content: string): string =>
  `<template xmlns="http://www.xfa.org/schema/xfa-template/3.3/"><subform name="form1">${content}</subform></template>`;
const datasetsOf = (content: string): string =>
  `<xfa:datasets xmlns:xfa="http://www.xfa.org/schema/xfa-data/1.0/"><xfa:data><form1>${content}</form1></xfa:data></xfa:datasets>`;

describe('a form that programs build for display', () => {
  it('its page shows titles, labels and values in place of the placeholder', async () => {
    const template = templateOf(
      draw('Solicitud de riego') +
        field('nombre', 'Nombre:') +
        field('caudal', 'Caudal', `<value>${text('5')}</value>`) +
        field('nota', 'Nota'),
    );
    const datasets = datasetsOf('<nombre>Ana Gil</nombre>');
    expect((await read({ form: { template, datasets } })).split('\n\n')).toEqual([
      'Solicitud de riego',
      'Nombre: Ana Gil',
      'Caudal: 5',
      'Nota',
    ]);
  });
  it('rows repeat for each of their values', async () => {
    const template = templateOf(
      `<subform name="fila">${field('parcela', 'Parcela')}${field('turno', 'Turno')}</subform>`,
    );
    const row = (plot: string, turn: string): string => `<fila><parcela>${plot}</parcela><turno>${turn}</turno></fila>`;
    const datasets = datasetsOf(row('12', 'lunes') + row('14', 'martes'));
    expect((await read({ form: { template, datasets } })).split('\n\n')).toEqual([
      'Parcela: 12',
      'Turno: lunes',
      'Parcela: 14',
      'Turno: martes',
    ]);
  });
  it('boxes and choices are shown as a person sees them', async () => {
    const items = (values: readonly string[], save = ''): string =>
      `<items ${save}>${values.map(text).join('')}</items>`;
    const box = `<ui><checkButton/></ui>${items(['1', '0'])}`;
    const template = templateOf(
      field('firme', 'Firme', box) +
        field('urgente', 'Urgente', box) +
        field('zona', 'Zona', `<ui><choiceList/></ui>${items(['Alta', 'Baja'])}${items(['A', 'B'], 'save="1"')}`) +
        `<exclGroup name="pago">${field('x', 'Banco', `<ui><checkButton/></ui>${items(['b'])}`)}${field('y', 'Caja', `<ui><checkButton/></ui>${items(['c'])}`)}</exclGroup>`,
    );
    const datasets = datasetsOf('<firme>1</firme><urgente>0</urgente><zona>B</zona><pago>c</pago>');
    expect((await read({ form: { template, datasets } })).split('\n\n')).toEqual([
      '☒ Firme',
      '☐ Urgente',
      'Zona: Baja',
      '☐ Banco',
      '☒ Caja',
    ]);
  });
  it('hidden fields, buttons and passwords are left out', async () => {
    const template = templateOf(
      field('clave', 'Clave', '<ui><passwordEdit/></ui>') +
        field('enviar', 'Enviar', '<ui><button/></ui>') +
        `<subform presence="hidden">${draw('Instrucciones internas')}</subform>` +
        field('nombre', 'Nombre'),
    );
    expect(await read({ form: { template, datasets: datasetsOf('<clave>secreto</clave><nombre>Ana</nombre>') } })).toBe(
      'Nombre: Ana',
    );
  });
  it('a form in one piece is read, and so are values without a template', async () => {
    const whole = `<xdp:xdp xmlns:xdp="http://ns.adobe.com/xdp/">${templateOf(field('nombre', 'Nombre'))}${datasetsOf('<nombre>Ana</nombre>')}</xdp:xdp>`;
    expect(await read({ form: { '': whole } })).toBe('Nombre: Ana');
    expect(await read({ form: { datasets: datasetsOf('<nombre>Ana</nombre>') } })).toBe('nombre: Ana');
  });
  it.each([
    ['that is damaged', { template: '<template><subform>', datasets: datasetsOf('') }, false],
    ['that its pages show', { template: templateOf(draw('Solicitud')) }, true],
  ])('a form %s leaves the pages as they are', async (_what, form, isFormDrawn) => {
    expect(await read({ form, isFormDrawn })).toMatch(/^Please wait/);
  });
});
