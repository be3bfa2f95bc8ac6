import { readConfig } from '@acervo/platform-config';
import { createLogger } from '@acervo/platform-observability';
import { silent } from '@acervo/platform-testing';
import { endingsIn, limitsOf, openSource } from './open-source';
import { ReadingConfig } from './reading.config';

const config = (environment: Readonly<Record<string, string>> = {}) => readConfig(ReadingConfig, environment);
/** The log levels as numbers in a log line. */
const [INFO, WARN] = [30, 40];
const server = { ACERVO_UNSTRUCTURED_URL: 'http://127.0.0.1:9', ACERVO_OCR: 'false' };

describe('the source of a deployment', () => {
  it('files are read locally unless their format is configured for a server', async () => {
    const builtIn = await openSource(config({ ACERVO_OCR: 'false' }), silent);
    const mixed = await openSource(config({ ...server, ACERVO_UNSTRUCTURED_FORMATS: 'PDF, .gif' }), silent);
    expect(builtIn.whyNot('a.gif')).toMatch(/not read/);
    expect([mixed.whyNot('a.gif'), mixed.whyNot('a.pdf'), mixed.whyNot('a.docx')]).toEqual([null, null, null]);
    expect(mixed.whyNot('a.webp')).toMatch(/not read/);
    expect(mixed.signature('a.docx')).toBe(builtIn.signature('a.docx'));
    expect(mixed.signature('a.pdf')).not.toBe(builtIn.signature('a.pdf'));
    await Promise.all([builtIn.close(), mixed.close()]);
  });

  it('other limits change the signature, so that files are read again', async () => {
    const [few, many] = await Promise.all(
      ['1000', '2000'].map((most) =>
        openSource(config({ ACERVO_EXTRACTION_CHARACTERS: most, ACERVO_OCR: 'false' }), silent),
      ),
    );
    expect(few?.signature('a.txt')).not.toBe(many?.signature('a.txt'));
    await Promise.all([few?.close(), many?.close()]);
  });

  it('the sandbox is logged once, with a warning where it is incomplete', async () => {
    const lines: Record<string, unknown>[] = [];
    const write = (line: string): number => lines.push(JSON.parse(line) as Record<string, unknown>);
    const logger = createLogger({ service: 'test', level: 'info', destination: { write } });
    await (await openSource(config({ ACERVO_OCR: 'false' }), logger)).close();
    expect(lines).toHaveLength(1);
    const { standing, lacking } = lines[0]?.['walls'] as { standing: string[]; lacking: string[] };
    expect([...standing, ...lacking].sort()).toEqual([
      'ends with its parent, no rights',
      'no core dump, no file written',
      'no network',
    ]);
    expect(lines[0]).toMatchObject({ recogniser: null, ocr: false });
    expect(lines[0]?.['level']).toBe(lacking.length > 0 ? WARN : INFO);
  });

  it('the limits come from the configuration', () => {
    expect(
      limitsOf(
        config({ ACERVO_EXTRACTION_FILE_MB: '3', ACERVO_EXTRACTION_SECONDS: '5', ACERVO_EXTRACTION_DEPTH: '2' }),
      ),
    ).toMatchObject({ fileBytes: 3_000_000, silenceMs: 5_000, depth: 2, processes: 2 });
  });

  it.each([
    ['', []],
    ['pdf', ['pdf']],
    [' .PDF , doc,,', ['pdf', 'doc']],
  ])('the list of endings %p is parsed', (list, endings) => {
    expect(endingsIn(list)).toEqual(endings);
  });
});
