import { join } from 'node:path';
import { ChatServer, type ReceivedChat } from '@acervo/platform-testing';
import { Installation } from '../harness/installation';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

type JsonObject = Record<string, unknown>;

/** Longer than two slices. */
const LINES = Array.from({ length: 1_000 }, (_, at) => `The supplier shall deliver part number ${at} in the month.`);
/** The slices that a process is killed at, life after life. */
const KILLED_AT = [1, 2, 3];

const partOf = ({ body }: ReceivedChat): number =>
  Number(/label="document, part (\d+) of/.exec(body.messages.at(-1)?.content ?? '')?.[1]);

/** The first line of a slice as a statement. */
const answerTo = ({ body }: ReceivedChat): string => {
  const quote = /The supplier shall deliver part number \d+ in the month\./.exec(body.messages.at(-1)?.content ?? '');
  return JSON.stringify({ statements: [{ quote: quote?.[0] ?? '', value: 'The supplier', label: null }] });
};

describe('runs of skills whose processes are killed', () => {
  const place = temporary();
  const model = new ChatServer();
  let installation: Installation;
  let code = '';
  beforeAll(async () => {
    const folder = join(place.path, 'folder');
    write(folder, { 'supply.txt': LINES.join('\n') });
    const environment = { ACERVO_CHAT_URL: await model.open(), ACERVO_CHAT_MODEL: 'scripted' };
    installation = await Installation.start({ folder, data: join(place.path, 'data'), environment });
    await until('the document', async () => {
      const { documents } = (await installation.ask('GET', '/v1/documents')).body as { documents: JsonObject[] };
      code = String(documents[0]?.['code']);
      return documents[0]?.['status'] === 'VECTORIZED';
    });
  });
  afterAll(async () => {
    await installation.stop();
    await model.close();
    place.remove();
  });

  const kill = async (): Promise<void> => {
    for (const pid of installation.processesOf('ingestion')) {
      process.kill(pid, 'SIGKILL');
      await until('the death of a process', () => !lives(pid));
    }
  };

  it('a run goes on behind what it has read, and has one result', async () => {
    const killed = new Set<number>();
    let isHeld: (part: number) => void = () => undefined;
    model.answer = async (received) => {
      const part = partOf(received);
      if (KILLED_AT.includes(part) && !killed.has(part)) {
        isHeld(part);
        await new Promise(() => undefined);
      }
      return { kind: 'text', parts: [answerTo(received)] };
    };
    let held = new Promise<number>((resolve) => (isHeld = resolve));
    const asked = await installation.ask('POST', '/v1/skills/OBLIGATIONS/run', { document_code: code });
    expect(asked.status).toBe(200);
    for (const [life] of KILLED_AT.entries()) {
      const part = await held;
      expect(part).toBe(KILLED_AT[life]);
      held = new Promise<number>((resolve) => (isHeld = resolve));
      await kill();
      killed.add(part);
    }
    const results = await retryUntilAvailable('the result', async () => {
      const { status, body } = await installation.ask('GET', `/v1/documents/${code}`);
      const found = body['skill_results'] as { statements: { text: string }[] }[] | undefined;
      return status === 200 && found !== undefined && found.length > 0 ? found : undefined;
    });
    const texts = results.flatMap(({ statements }) => statements.map(({ text }) => text));
    expect([results.length, new Set(texts).size]).toEqual([1, texts.length]);
    expect(model.received.map(partOf)).toEqual([1, 1, 2, 2, 3, 3]);
    const rows = await installation.rows(
      'ingestion',
      `select result from ingestion.document_skill where group_id = $1 and progress is null and result is not null`,
    );
    expect(rows).toHaveLength(1);
  });
});
