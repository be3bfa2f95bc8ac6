import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRunning, type ControlRequest, openControl } from './control';

const request: ControlRequest = { folder: '/some/folder', status: false, retryFailed: false, acceptDeletions: true };

describe('the door for other starts', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-control-'));
  afterAll(() => rmSync(place, { recursive: true }));

  it('hands a request to the program that runs, and gives its lines as they come', async () => {
    const asked: ControlRequest[] = [];
    const door = await openControl(place, async (given, say) => {
      asked.push(given);
      say('first');
      await new Promise((resolve) => setTimeout(resolve, 20));
      say('ñandú');
    });
    const lines: string[] = [];
    expect(await askRunning(place, request, (line) => lines.push(line))).toBe(true);
    expect([asked, lines]).toEqual([[request], ['first', 'ñandú']]);
    await door.close();
  });
  it('opens for the owner of the directory alone', async () => {
    const door = await openControl(place, () => Promise.reject(new Error('nobody gets here')));
    expect(statSync(join(place, 'control.json')).mode & 0o077).toBe(0);
    const { port } = JSON.parse(readFileSync(join(place, 'control.json'), 'utf8')) as { port: number };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { authorization: 'Bearer x' } });
    expect(answer.status).toBe(401);
    await door.close();
  });
  it('is not there when nothing runs, nor after what ran was killed', async () => {
    expect(await askRunning(place, request, () => undefined)).toBe(false);
    const door = await openControl(place, () => Promise.resolve());
    const left = readFileSync(join(place, 'control.json'), 'utf8');
    await door.close();
    writeFileSync(join(place, 'control.json'), left);
    expect(await askRunning(place, request, () => undefined)).toBe(false);
  });
});
