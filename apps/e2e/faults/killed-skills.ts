import { join } from 'node:path';
import { type ChatScript, ChatServer, type ReceivedChat } from '@acervo/platform-testing';
import { Installation } from '../harness/installation';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

/**
 * Where a process of ingestion dies, life after life: while the model writes (killed from outside), with a part of the
 * document read, with its result written, and with it committed.
 */
const PLACES = ['skill.kept', '', 'skill.before-commit', 'skill.committed'];
const placeOf = (life: number): string => PLACES[life % PLACES.length] ?? '';

const LEAST_DOCUMENTS = 4;
/** Documents whose model answers without the requested form, and refuses. */
const [UNUSABLE, REFUSED] = ['asunto malo', 'asunto vetado'];

const sentenceOf = (name: string): string =>
  `La junta del valle aprueba en su última sesión el ${name} de los regantes.`;
/** Read in two parts under the smallest context of a model. */
const textOf = (name: string): string => {
  const filler = Array.from({ length: 170 }, (_, at) => `La finca ${at} del ${name} queda junto a la acequia mayor.`);
  return [...filler, sentenceOf(name)].join('\n');
};

const written = (quotes: readonly string[]): ChatScript => ({
  kind: 'text',
  parts: [JSON.stringify({ statements: quotes.map((quote) => ({ quote, value: null, label: null })) })],
});

interface Run {
  readonly name: string;
  readonly skill: string;
  readonly status: string;
  readonly reason: string | null;
  readonly quotes: readonly string[] | null;
  readonly summary: string;
  readonly shown: string | null;
}

/** A model that quotes the sentence of each document where it reads it. It stops within the answer that a test names. */
class QuotingModel extends ChatServer {
  private noteRequest: (() => void) | undefined;

  constructor() {
    super((received) => {
      const isHeld = this.noteRequest !== undefined;
      this.noteRequest?.();
      this.noteRequest = undefined;
      return isHeld ? { kind: 'stall' } : this.answerTo(received);
    });
  }

  /** Stops within the next answer; resolves when it is asked for. */
  stopWithin(): Promise<void> {
    return new Promise((resolve) => (this.noteRequest = resolve));
  }

  private answerTo({ body }: ReceivedChat): ChatScript {
    const text = body.messages.map(({ content }) => content).join('\n');
    if (text.includes(UNUSABLE)) return { kind: 'text', parts: ['No es JSON.'] };
    if (text.includes(REFUSED)) return { kind: 'status', status: 400 };
    return written([...new Set(text.match(/La junta del valle aprueba [^.]+\./gu) ?? [])]);
  }
}

/** Runs of skills by a model over an installation whose processes of ingestion die so often. */
class KilledSkills {
  private readonly place = temporary();
  private readonly model = new QuotingModel();
  private readonly names: readonly string[];
  private running: Installation | undefined;

  constructor(private readonly kills: number) {
    const many = Array.from({ length: Math.max(LEAST_DOCUMENTS, kills) }, (_, at) => `asunto x${at}`);
    this.names = [...many, UNUSABLE, REFUSED];
  }

  /** The sentence of each document that its model quotes. */
  get sentences(): readonly string[] {
    return this.names.slice(0, -2).map(sentenceOf);
  }

  get asked(): number {
    return this.model.received.length;
  }

  private get installation(): Installation {
    if (this.running === undefined) throw new Error('The installation has not started.');
    return this.running;
  }

  async start(): Promise<void> {
    const folder = join(this.place.path, 'folder');
    write(folder, Object.fromEntries(this.names.map((name, at) => [`f${at}.txt`, textOf(name)])));
    const lifetimes = Array.from({ length: this.kills }, (_, life) => placeOf(life));
    const environment = {
      ACERVO_FAILPOINT: lifetimes.map((name) => (name === '' ? '' : `ingestion/${name}`)).join(';'),
      ...{ ACERVO_CHAT_URL: await this.model.open(), ACERVO_CHAT_MODEL: 'scripted' },
      ...{ ACERVO_CHAT_CONTEXT_TOKENS: '8000', ACERVO_CHAT_TOKENS_PER_MINUTE: '1000000000' },
    };
    this.running = await Installation.start({ folder, data: join(this.place.path, 'data'), environment });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    await this.model.close();
    this.place.remove();
  }

  /** Waits until ingestion has died as often as planned, and every run is over or waits for its model. */
  async runDying(): Promise<number> {
    let pid = await this.processOf();
    let deaths = 0;
    for (; deaths < this.kills; deaths += 1) {
      const dead = pid;
      if (placeOf(deaths) === '') {
        await this.model.stopWithin();
        process.kill(dead, 'SIGKILL');
      }
      await until('the death of ingestion', () => !lives(dead), 60_000);
      await this.expireLeases();
      pid = await this.processOf(dead);
    }
    await until('the end of all runs', async () => {
      await this.expireLeases();
      const runs = await this.runs();
      return runs.length === this.names.length && runs.every(({ status, reason }) => this.isOver(status, reason));
    });
    return deaths;
  }

  /** The runs with their results, and what retrieval shows of their documents. */
  async runs(): Promise<Run[]> {
    const rows = await this.installation.rows<Omit<Run, 'shown'> & { documentId: string }>(
      'ingestion',
      `select d.document_id as "documentId", d.name, s.skill_code as skill, t.status, t.reason, d.summary,
         (select array_agg(q->>'text') from jsonb_array_elements(s.result->'statements') q) as quotes
       from ingestion.document_skill s join ingestion.document d using (group_id, document_id)
       join ingestion.task t on t.group_id = s.group_id and t.subject_id = s.work_id
       where s.group_id = $1 order by length(d.name), d.name`,
    );
    const shown = await this.installation.rows<{ documentId: string; summary: string }>(
      'retrieval',
      'select document_id as "documentId", summary from retrieval.document where group_id = $1',
    );
    const summaries = new Map(shown.map(({ documentId, summary }) => [documentId, summary]));
    return rows.map(({ documentId, ...row }) => ({ ...row, shown: summaries.get(documentId) ?? null }));
  }

  async isShown(): Promise<boolean> {
    return (await this.runs()).every(({ summary, shown }) => summary === shown);
  }

  private isOver(status: string, reason: string | null): boolean {
    return status === 'DONE' || status === 'FAILED' || (status === 'WAITING' && reason === 'ModelRefused');
  }

  /** A process of ingestion other than the one that died. */
  private processOf(other = 0): Promise<number> {
    const living = (): number | undefined => this.installation.processesOf('ingestion').find((pid) => pid !== other);
    return retryUntilAvailable('a process of ingestion', living, 60_000);
  }

  private async expireLeases(): Promise<void> {
    await this.installation.change(
      'ingestion',
      `update ingestion.task set leased_until = now() - interval '1 second'
       where group_id = $1 and status = 'LEASED' and updated_at < now() - interval '3 seconds' returning stage`,
    );
  }
}

/** Kills processes in the middle of runs of skills: every run ends or waits with its reason, and has one result. */
export const skillsSurvive = (kills: number): void => {
  const skills = new KilledSkills(kills);
  beforeAll(() => skills.start());
  afterAll(() => skills.stop());

  it(
    'every run ends or waits with its reason, whenever ingestion dies',
    async () => {
      expect(await skills.runDying()).toBe(kills);
      const runs = await skills.runs();
      const [unusable, refused] = runs.slice(-2);
      expect([unusable, refused]).toMatchObject([
        { status: 'FAILED', reason: 'ModelUnusable', quotes: null },
        { status: 'WAITING', reason: 'ModelRefused', quotes: null },
      ]);
      const made = runs.slice(0, -2);
      expect(made.map(({ skill, status, quotes }) => ({ skill, status, quotes }))).toEqual(
        skills.sentences.map((sentence) => ({ skill: 'DOCUMENT-SUMMARY', status: 'DONE', quotes: [sentence] })),
      );
    },
    300_000 + kills * 90_000,
  );

  it('every summary is that of its run, in retrieval too', async () => {
    await until('the summaries in retrieval', () => skills.isShown());
    const runs = await skills.runs();
    expect(runs.slice(0, -2).map(({ summary }) => summary)).toEqual(skills.sentences);
    for (const { summary } of runs.slice(-2)) expect(summary).toContain('La finca');
  });

  it('no part of a document is read again that was kept', () => {
    // Two parts of each document, an answer that each kill may have cost, the unusable one twice, and the refused one.
    const most = 2 * skills.sentences.length + kills + 2 * (1 + kills);
    process.stdout.write(`skills: ${kills} kills, ${skills.sentences.length + 2} runs, ${skills.asked} requests\n`);
    expect(skills.asked).toBeLessThanOrEqual(most);
  });
};
