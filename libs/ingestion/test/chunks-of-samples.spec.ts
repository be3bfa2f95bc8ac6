import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { countTokens, defaultChunkOptions, defaultLanguages, type ExtractedText } from '@acervo/analysis';
import { PreparedChunks, revive } from '@acervo/contracts';
import { InlineSource, isSupported } from '@acervo/extraction';
import { runJob } from '../src';
import { CHUNK_TEXT, RECORD_TEXT } from '../src/pipeline/text-jobs';

const library = join(__dirname, '..', '..', '..', 'samples', 'library');
const files = readdirSync(library, { recursive: true, encoding: 'utf8' }).filter(isSupported).sort();
const fromJson = (bytes: Uint8Array): unknown => JSON.parse(Buffer.from(bytes).toString('utf8'));
const visible = (text: string): string => text.replace(/\s/g, '');

describe('the chunks that are handed over', () => {
  it('every sample is checked', () => {
    expect(files.length).toBeGreaterThan(5);
  });

  it.each(files)('the chunks of %s match their ranges and cover the text', async (name) => {
    const { document } = await new InlineSource().extract({ name, bytes: readFileSync(join(library, name)) });
    const { text: extracted } = await runJob(RECORD_TEXT, { document, languages: defaultLanguages });
    const { text } = fromJson(extracted) as ExtractedText;
    const { chunks: object, count } = await runJob(CHUNK_TEXT, { text: extracted, options: defaultChunkOptions });
    const { chunks } = revive(PreparedChunks, fromJson(object));
    expect(chunks).toHaveLength(count);
    let end = 0;
    for (const chunk of chunks) {
      expect(chunk.text).toBe(text.slice(chunk.start, chunk.end));
      expect(chunk.start).toBeGreaterThanOrEqual(end);
      expect(countTokens(chunk.text)).toBeLessThanOrEqual(defaultChunkOptions.most);
      end = chunk.end;
    }
    expect(visible(chunks.map((chunk) => chunk.text).join(''))).toBe(visible(text));
  });
});
