import { defaultChunkOptions, defaultLanguages, languagesFrom } from '@acervo/analysis';
import { readConfig } from '@acervo/platform-config';
import { IngestionConfig } from '../ingestion.config';
import { settingsFor, stepKeys } from './settings';

const settings = (list: string) =>
  settingsFor({
    languages: languagesFrom(list),
    mostBytes: 1,
    mostDepth: 1,
    reading: { signature: () => 'signature', whyNot: () => null },
  });
const keys = (list: string) => stepKeys(settings(list), 'name.txt', 'hash');

describe('the settings of the pipeline', () => {
  it('tell the usual languages apart where nothing is configured', () => {
    const { chunks } = settings(readConfig(IngestionConfig, {}).languages);
    expect(chunks).toEqual(defaultChunkOptions);
  });
  it('have a document cut anew, and not read anew, when its languages are others', () => {
    const [usual, more] = [keys(defaultLanguages.join()), keys(`${defaultLanguages.join()},ca`)];
    expect(more.extract).toBe(usual.extract);
    expect(more.chunk).not.toBe(usual.chunk);
  });
});
