import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BaseConfig, InvalidConfiguration, readConfig, Setting, settingsOf } from './index';

class Sample extends BaseConfig {
  @Setting({ env: 'SAMPLE_LIMIT', default: 5, min: 1, max: 9, description: 'A limit' }) readonly limit!: number;
  @Setting({ env: 'SAMPLE_ON', default: false, description: 'A switch' }) readonly on!: boolean;
  @Setting({ env: 'SAMPLE_SECRET', default: null, secret: true, description: 'A secret' }) readonly secret!:
    string | null;
}

describe('a configuration', () => {
  it('a configuration without variables uses defaults', () => {
    expect(readConfig(Sample, {})).toMatchObject({ limit: 5, on: false, secret: null, publicPort: 8080 });
  });
  it('numbers and switches are read from text', () => {
    expect(readConfig(Sample, { SAMPLE_LIMIT: '7', SAMPLE_ON: 'true' })).toMatchObject({ limit: 7, on: true });
  });
  it('every problem is reported at once, without values', () => {
    const read = (): unknown =>
      readConfig(Sample, { SAMPLE_LIMIT: 'hunter2', SAMPLE_ON: 'hunter2', ACERVO_LOG_LEVEL: 'hunter2' });
    expect(read).toThrow(InvalidConfiguration);
    expect(read).toThrow(
      /ACERVO_LOG_LEVEL must be one of[\s\S]*SAMPLE_LIMIT must be a number from 1 to 9[\s\S]*SAMPLE_ON/,
    );
    expect(read).toThrow(expect.not.stringContaining('hunter2') as string);
  });
  it.each(['0', '10', '1e400', ' ', 'NaN'])('%p is refused as a number from 1 to 9', (text) => {
    expect(() => readConfig(Sample, { SAMPLE_LIMIT: text })).toThrow(InvalidConfiguration);
  });
  it('a secret is read from its named file, other settings are not', () => {
    const place = mkdtempSync(join(tmpdir(), 'acervo-config-'));
    const file = join(place, 'secret');
    writeFileSync(file, 'hunter2\n');
    try {
      expect(readConfig(Sample, { SAMPLE_SECRET_FILE: file, SAMPLE_LIMIT_FILE: file })).toMatchObject({
        secret: 'hunter2',
        limit: 5,
      });
      const both = (): unknown => readConfig(Sample, { SAMPLE_SECRET: 'x', SAMPLE_SECRET_FILE: file });
      expect(both).toThrow(/SAMPLE_SECRET and SAMPLE_SECRET_FILE cannot both be set/);
      const missing = (): unknown => readConfig(Sample, { SAMPLE_SECRET_FILE: join(place, 'none') });
      expect(missing).toThrow(/SAMPLE_SECRET_FILE names a file that cannot be read/);
    } finally {
      rmSync(place, { recursive: true });
    }
  });
  it('a setting for tests keeps its default everywhere else', () => {
    class ForTests {
      @Setting({ env: 'SAMPLE_OPEN', default: false, testsOnly: true, description: 'A door' }) readonly open!: boolean;
    }
    expect(readConfig(ForTests, { SAMPLE_OPEN: 'true', NODE_ENV: 'test' }).open).toBe(true);
    expect(readConfig(ForTests, { SAMPLE_OPEN: 'false' }).open).toBe(false);
    for (const mode of [undefined, 'production'])
      expect(() => readConfig(ForTests, { SAMPLE_OPEN: 'true', NODE_ENV: mode })).toThrow('SAMPLE_OPEN is for tests');
  });
  it('a configuration is immutable', () => {
    expect(() => Object.assign(readConfig(Sample, {}), { limit: 6 })).toThrow(TypeError);
  });
  it('a configuration describes each of its settings', () => {
    for (const { env, description } of settingsOf(Sample)) expect([env, description.length > 5]).toEqual([env, true]);
  });
});
