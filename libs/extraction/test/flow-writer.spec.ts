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
  it('takes the first row of a table for its header where none is said to be', () => {
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
  it('has no header where the table has one row, or where another row is said to be it', () => {
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
  it('writes a table with a whole text in a cell as paragraphs, with their headings', () => {
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
  it('keeps what stands in a table and in no cell of it', () => {
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
    ['in place of a paragraph that says the same', 'Uno', 0, ['1 Uno'], 'Uno'],
    ['not above another heading', 'Dos', 2, ['2 Dos'], 'Dos'],
  ])('writes the heading that is expected %s', (_where, text, level, headings, whole) => {
    const document = write((flow) => {
      flow.expectHeading(' Uno ');
      flow.paragraph(text, level);
    });
    expect([headingsOf(document), document.text]).toEqual([headings, whole]);
  });
  it('takes no long text for a heading', () => {
    expect(write((flow) => flow.paragraph('x '.repeat(200), 1)).headings).toEqual([]);
  });
  it('writes notes after the table that names them, and those of nothing at the end', () => {
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
  it('closes what was left open, and bears what was never opened', () => {
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
  it('believes no cell that claims to cover a million columns', () => {
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
