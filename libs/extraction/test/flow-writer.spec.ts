import { FlowWriter } from '../src/flow-writer';
import { TextBuilder } from '../src/text-builder';
import { headingsOf, tablesOf } from './support/reading';

type Cells = readonly (readonly string[])[];

const write = (steps: (flow: FlowWriter) => void) => {
  const builder = new TextBuilder({ characters: 1_000_000, pages: 10 });
  const flow = new FlowWriter(builder);
  steps(flow);
  flow.end();
  return builder.build();
};
const table = (flow: FlowWriter, rows: Cells, header = -1): void => {
  flow.openTable('Cuentas');
  rows.forEach((cells, index) => {
    flow.openRow(index === header);
    for (const cell of cells) {
      flow.openCell();
      flow.paragraph(cell);
      flow.closeCell();
    }
  });
  flow.closeTable();
};

describe('a flow of paragraphs and tables', () => {
  it('the first row is the header unless another is marked', () => {
    expect(
      tablesOf(
        write((flow) =>
          table(flow, [
            ['a', 'b'],
            ['1', '2'],
          ]),
        ),
      ),
    ).toEqual([{ title: 'Cuentas', header: 'a | b', rows: ['1 | 2'] }]);
  });
  it('a single row or a later marked row gives no header', () => {
    expect(tablesOf(write((flow) => table(flow, [['a', 'b']])))).toMatchObject([{ header: null, rows: ['a | b'] }]);
    expect(
      tablesOf(
        write((flow) =>
          table(
            flow,
            [
              ['a', 'b'],
              ['c', 'd'],
            ],
            1,
          ),
        ),
      ),
    ).toMatchObject([{ header: null }]);
  });
  it('a table with a whole text in a cell becomes paragraphs', () => {
    const document = write((flow) => {
      flow.openTable();
      flow.openRow();
      for (const text of ['columna', 'x'.repeat(3_000)]) {
        flow.openCell();
        flow.paragraph('Apartado', 2);
        flow.paragraph(text);
      }
      flow.closeTable();
    });
    expect([document.tables, headingsOf(document)]).toEqual([[], ['2 Apartado', '2 Apartado']]);
  });
  it('text of a table outside its cells is kept', () => {
    const document = write((flow) => {
      flow.openTable();
      flow.paragraph('Cuadro 1');
      flow.openRow();
      for (const text of ['a', 'b']) {
        flow.openCell();
        flow.paragraph(text);
      }
      flow.closeTable();
    });
    expect(document.text).toBe('Cuadro 1\n\na | b');
  });
  it.each([
    ['above a paragraph', 'texto', 0, ['1 Uno'], 'Uno\n\ntexto'],
    ['in place of an equal paragraph', 'Uno', 0, ['1 Uno'], 'Uno'],
    ['not above another heading', 'Dos', 2, ['2 Dos'], 'Dos'],
  ])('the expected heading is written %s', (_where, text, level, headings, whole) => {
    const document = write((flow) => {
      flow.expectHeading(' Uno ');
      flow.paragraph(text, level);
    });
    expect([headingsOf(document), document.text]).toEqual([headings, whole]);
  });
  it('a long text is not a heading', () => {
    expect(write((flow) => flow.paragraph('x '.repeat(200), 1)).headings).toEqual([]);
  });
  it('notes follow their table; unreferenced notes come at the end', () => {
    const document = write((flow) => {
      flow.openTable();
      flow.openRow();
      for (const text of ['a', 'b']) {
        flow.openCell();
        flow.note(`nota de ${text}`);
        flow.paragraph(text);
      }
      flow.closeTable();
      flow.paragraph('fin');
      flow.note('suelta');
    });
    expect(document.text).toBe('a | b\n\nnota de a\n\nnota de b\n\nfin\n\nsuelta');
  });
  it('unclosed and unopened elements are tolerated', () => {
    const document = write((flow) => {
      flow.closeTable();
      flow.closeCell();
      flow.openTable();
      flow.openRow();
      flow.openCell();
      flow.paragraph('x');
    });
    expect(document.text).toBe('x');
  });
  it('a cell with a span of a million columns is limited', () => {
    const document = write((flow) => {
      flow.openTable();
      for (const text of ['a', 'b']) {
        flow.openRow();
        flow.openCell();
        flow.paragraph(text);
        flow.closeCell(1_000_000);
        flow.openCell();
        flow.paragraph(text);
      }
      flow.closeTable();
    });
    expect(document.text.length).toBeLessThan(1_000);
  });
});
