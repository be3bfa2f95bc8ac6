import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { askRunning, type ControlRequest, openControl } from './control';

const request: ControlRequest = { folder: '/some/folder', acceptDeletions: true, commands: [{ name: 'status' }] };

describe('the control server of a running program', () => {
  const place = mkdtempSync(join(tmpdir(), 'acervo-control-'));
  afterAll(() => rmSync(place, { recursive: true }));

  const ask = async (): Promise<{ code: number | undefined; lines: string[] }> => {
    const lines: string[] = [];
    return { code: await askRunning(place, request, (line) => lines.push(line)), lines };
  };

  it('a request reaches the running program, which streams its lines', async () => {
    const asked: ControlRequest[] = [];
    const door = await openControl(place, async (received, print) => {
      asked.push(received);
      print('first');
      await new Promise((resolve) => setTimeout(resolve, 20));
      print('ñandú');
      return 0;
    });
    expect(await ask()).toEqual({ code: 0, lines: ['first', 'ñandú'] });
    expect(asked).toEqual([request]);
    await door.close();
  });
  it('the exit code of the command is returned', async () => {
    const door = await openControl(place, async (_given, print) => {
      print('record 3 is missing');
      return Promise.resolve(1);
    });
    expect(await ask()).toEqual({ code: 1, lines: ['record 3 is missing'] });
    await door.close();
  });
  it('a failed command returns its reason and a code other than 0', async () => {
    const door = await openControl(place, (_given, print) => {
      print('begun');
      return Promise.reject(new Error('The disk is full.'));
    });
    expect(await ask()).toEqual({ code: 1, lines: ['begun', 'This could not be done: The disk is full.'] });
    await door.close();
  });
  it('a response that breaks off counts as failed', async () => {
    const door: { close(): Promise<void> } = await openControl(place, async (_given, print) => {
      print('begun');
      await new Promise((resolve) => setTimeout(resolve, 20));
      await door.close();
      return 0;
    });
    const { code, lines } = await ask();
    expect([code, lines[0], lines[1]]).toEqual([1, 'begun', expect.stringMatching(/ended before it answered/)]);
  });
  it('a request of an older version executes nothing and fails', async () => {
    const door = await openControl(place, () => Promise.reject(new Error('not reached')));
    const { port, token } = JSON.parse(readFileSync(join(place, 'control.json'), 'utf8')) as Record<string, unknown>;
    const answer = await fetch(`http://127.0.0.1:${String(port)}/`, {
      method: 'POST',
      headers: { authorization: `Bearer ${String(token)}` },
      body: JSON.stringify({ folder: null, status: true, retryFailed: false, acceptDeletions: false }),
    });
    const parts = (await answer.text()).trim().split('\n');
    expect(parts.map((part) => JSON.parse(part) as unknown)).toEqual([
      { line: expect.stringMatching(/another version than this start, so nothing was done/) as string },
      { code: 1 },
    ]);
    await door.close();
  });
  it('a running program of an older version gets no command', async () => {
    const door = await openControl(place, () => Promise.reject(new Error('not reached')));
    const { port, token } = JSON.parse(readFileSync(join(place, 'control.json'), 'utf8')) as Record<string, unknown>;
    writeFileSync(join(place, 'control.json'), JSON.stringify({ port, token }));
    expect(await ask()).toEqual({ code: 1, lines: [expect.stringMatching(/so nothing was done/)] });
    await door.close();
  });
  it('the control server admits the owner of the directory only', async () => {
    const door = await openControl(place, () => Promise.reject(new Error('not reached')));
    expect(statSync(join(place, 'control.json')).mode & 0o077).toBe(0);
    const { port } = JSON.parse(readFileSync(join(place, 'control.json'), 'utf8')) as { port: number };
    const answer = await fetch(`http://127.0.0.1:${port}/`, { method: 'POST', headers: { authorization: 'Bearer x' } });
    expect(answer.status).toBe(401);
    await door.close();
  });
  it('without a running program, or after its kill, no request succeeds', async () => {
    expect(await ask()).toEqual({ code: undefined, lines: [] });
    const door = await openControl(place, () => Promise.resolve(0));
    const left = readFileSync(join(place, 'control.json'), 'utf8');
    await door.close();
    writeFileSync(join(place, 'control.json'), left);
    expect(await ask()).toEqual({ code: undefined, lines: [] });
  });
});
