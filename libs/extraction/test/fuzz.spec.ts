import { ExtractionRefusal } from '../src/errors';
import { ExtractionPool } from '../src/sandbox/extraction-pool';
import { mutant } from './support/mutations';
import { samples } from './support/samples';

const FILES = 200;

describe('files that were changed by chance', () => {
  const mishaps: object[] = [];
  const pool = new ExtractionPool({ log: (event, details) => mishaps.push({ event, ...details }) });
  afterAll(() => pool.close());

  it('every unchanged sample is read', async () => {
    for (const sample of samples().filter(({ name }) => !name.endsWith('.png')))
      expect([sample.name, (await pool.extract(sample)).document.text.length > 5]).toEqual([sample.name, true]);
  });

  it('mutated files give text or a refusal without a crash', async () => {
    const made = samples();
    const outcome = async (number: number): Promise<'text' | 'refused'> => {
      try {
        const { document } = await pool.extract(mutant(made, number));
        expect([number, document.text.includes('\0'), document.text.isWellFormed()]).toEqual([number, false, true]);
        return 'text';
      } catch (error) {
        if (!(error instanceof ExtractionRefusal)) throw error;
        return 'refused';
      }
    };
    const outcomes = await Promise.all(Array.from({ length: FILES }, (_, number) => outcome(number)));
    expect(outcomes).toContain('text');
    expect(outcomes).toContain('refused');
    expect(mishaps).toEqual([]);
  });
});
