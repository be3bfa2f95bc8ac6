import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { FolderWatch } from './folder-watch';

const until = async (holds: () => boolean): Promise<void> => {
  for (let tries = 0; tries < 200 && !holds(); tries += 1) await pause(20);
};

describe('a watched folder', () => {
  let place: string;
  let scans: number;
  let watch: FolderWatch;
  const open = async (times: { quietMs: number; longestMs: number; everyMs: number }, scanMs = 0): Promise<void> => {
    place = mkdtempSync(join(tmpdir(), 'acervo-watch-'));
    scans = 0;
    const rescan = async (): Promise<void> => {
      scans += 1;
      await pause(scanMs);
    };
    watch = new FolderWatch(rescan, () => undefined, times);
    watch.add(place);
    await pause(150);
  };
  afterEach(async () => {
    await watch.close();
    rmSync(place, { recursive: true });
  });

  it('is scanned once after a burst of changes, whatever their number', async () => {
    await open({ quietMs: 100, longestMs: 5_000, everyMs: 60_000 });
    mkdirSync(join(place, 'sub'));
    for (let count = 0; count < 20; count += 1) writeFileSync(join(place, 'sub', `${count}.txt`), 'x');
    await until(() => scans > 0);
    await pause(300);
    expect(scans).toBe(1);
  });
  it('is scanned while it never comes to rest', async () => {
    await open({ quietMs: 300, longestMs: 400, everyMs: 60_000 });
    for (let count = 0; count < 12; count += 1) {
      writeFileSync(join(place, 'busy.txt'), String(count));
      await pause(80);
    }
    expect(scans).toBeGreaterThan(0);
  });
  it('is scanned again for what changes during a scan, and never twice at a time', async () => {
    await open({ quietMs: 20, longestMs: 1_000, everyMs: 60_000 }, 400);
    writeFileSync(join(place, 'one.txt'), 'x');
    await until(() => scans === 1);
    writeFileSync(join(place, 'two.txt'), 'x');
    await pause(200);
    expect(scans).toBe(1);
    await until(() => scans === 2);
    expect(scans).toBe(2);
  });
  it('is scanned now and then though nothing changes, and not for what is never read', async () => {
    await open({ quietMs: 20, longestMs: 100, everyMs: 400 });
    writeFileSync(join(place, '~$lock.docx'), 'x');
    writeFileSync(join(place, '.hidden'), 'x');
    await pause(150);
    expect(scans).toBe(0);
    await until(() => scans > 0);
    expect(scans).toBe(1);
  });
});
