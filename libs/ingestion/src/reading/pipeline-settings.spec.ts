import { defaultChunkOptions, defaultLanguages, languagesFrom } from '@acervo/analysis';
import { readConfig } from '@acervo/platform-config';
import { TextConfig } from '@acervo/platform-service';
import { settingsFor, stepKeys } from './pipeline-settings';

const settings = (list: string) =>
  settingsFor({
    languages: languagesFrom(list),
    mostBytes: 1,
    mostDepth: 1,
    reading: { signature: () => 'signature', whyNot: () => null },
  });
const keys = (list: string) => stepKeys(settings(list), 'name.txt', 'hash');

describe('the settings of the pipeline', () => {
  it('the default languages apply without configuration', () => {
    const { chunks } = settings(readConfig(TextConfig, {}).languages);
    expect(chunks).toEqual(defaultChunkOptions);
  });
  it('other languages repeat the chunks, not the extraction', () => {
    const [usual, more] = [keys(defaultLanguages.join()), keys(`${defaultLanguages.join()},nl`)];
    expect(more.extract).toBe(usual.extract);
    expect(more.chunk).not.toBe(usual.chunk);
  });
});
