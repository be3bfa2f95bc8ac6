import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRunning, type ControlRequest, openControl } from './control';

const request: ControlRequest = { folder: '/some/folder', status: false, retryFailed: false, acceptDeletions: true };

describe('the door for other starts', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-control-'));
  afterAll(() => rmSync(place, { recursive: true }));

  const ask = async (): Promise<{ code: number | undefined; lines: string[] }> => {
    const lines: string[] = [];
    return { code: await askRunning(place, request, (line) => lines.push(line)), lines };
  };

  it('hands a request to the program that runs, and gives its lines as they come', async () => {
    const asked: ControlRequest[] = [];
    const door = await openControl(place, async (given, say) => {
      asked.push(given);
      say('first');
      await new Promise((resolve) => setTimeout(resolve, 20));
      say('ñandú');
      return 0;
    });
    expect(await ask()).toEqual({ code: 0, lines: ['first', 'ñandú'] });
    expect(asked).toEqual([request]);
    await door.close();
  });
  it('answers the code that the command ends with', async () => {
    const door = await openControl(place, async (_given, say) => {
      say('record 3 is missing');
      return Promise.resolve(1);
    });
    expect(await ask()).toEqual({ code: 1, lines: ['record 3 is missing'] });
    await door.close();
  });
  it('answers what fails with the reason and a code other than 0', async () => {
    const door = await openControl(place, (_given, say) => {
      say('begun');
      return Promise.reject(new Error('The disk is full.'));
    });
    expect(await ask()).toEqual({ code: 1, lines: ['begun', 'This could not be done: The disk is full.'] });
    await door.close();
  });
  it('that closes in the middle of an answer leaves the command failed, not done', async () => {
    const door: { close(): Promise<void> } = await openControl(place, async (_given, say) => {
      say('begun');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await door.close();
      return 0;
    });
    const { code, lines } = await ask();
    expect([code, lines[0], lines[1]]).toEqual([1, 'begun', expect.stringMatching(/ended before it had answered/)]);
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
    expect(await ask()).toEqual({ code: undefined, lines: [] });
    const door = await openControl(place, () => Promise.resolve(0));
    const left = readFileSync(join(place, 'control.json'), 'utf8');
    await door.close();
    writeFileSync(join(place, 'control.json'), left);
    expect(await ask()).toEqual({ code: undefined, lines: [] });
  });
});
