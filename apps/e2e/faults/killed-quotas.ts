import { join } from 'node:path';
import type { Answer } from '../harness/http-client';
import { Installation } from '../harness/installation';
import { assignPlan, commandsOn } from '../harness/plans';
import { lives } from '../harness/processes';
import { temporary, write } from '../harness/program';
import { retryUntilAvailable, until } from '../harness/waiting';

/** Where a process of ingestion dies: its pages are taken, its chunks are made, they are committed. */
const PLACES = ['corpus.taken', 'pipeline.before-commit', 'pipeline.committed'];

/** An installation with a plan, whose processes of ingestion and retrieval die so often, life after life. */
export class KilledQuotas {
  private readonly place = temporary();
  private readonly folder = join(this.place.path, 'folder');
  private readonly data = join(this.place.path, 'data');
  private running: Installation | undefined;
  /** One document is there before the plan is. */
  readonly pages: number;
  readonly searches: number;
  readonly files: number;

  constructor(readonly kills: number) {
    [this.pages, this.files, this.searches] = [1 + 2 * kills, 4 * kills, 2 * kills + 5];
  }

  get installation(): Installation {
    if (this.running === undefined) throw new Error('The installation has not started.');
    return this.running;
  }

  async start(): Promise<void> {
    const { folder, data, kills, pages, searches } = this;
    write(folder, { 'nota.txt': 'Una nota sobre el riego.' });
    const failpoints = Array.from(
      { length: kills },
      (_, life) => `ingestion/${PLACES[life % PLACES.length]},retrieval/search.counted:2`,
    );
    const environment = { ACERVO_FAILPOINT: failpoints.join(';') };
    this.running = await Installation.start({ folder, data, environment });
    await until('the document', async () => (await this.pagesNow()).live === 1);
    const included = { ACTIVE_CORPUS: pages, RETRIEVALS: searches };
    await assignPlan({ code: 'FEW', included, run: commandsOn(data) });
    await until('the plan in ingestion', async () => {
      const sql = 'select included from ingestion.corpus where group_id = $1';
      return (await this.installation.rows<{ included: number }>('ingestion', sql))[0]?.included === pages;
    });
  }

  async stop(): Promise<void> {
    await this.running?.stop();
    this.place.remove();
  }

  /** Adds files, and waits until ingestion has died as often as planned. Answers how often that was. */
  async ingestDying(): Promise<number> {
    const { folder, files, kills } = this;
    const texts = Array.from({ length: files }, (_, at) => [`f${at}.txt`, `El acta ${at} trata del asunto x${at}.`]);
    let process = await this.processOf('ingestion');
    write(folder, Object.fromEntries(texts) as Record<string, string>);
    let deaths = 0;
    for (; deaths < kills; deaths += 1) {
      const last = process;
      await until('the death of ingestion', () => !lives(last), 60_000);
      await this.expireLeases();
      process = await this.processOf('ingestion', last);
    }
    return deaths;
  }

  /** Waits until every document is indexed or waits for pages. */
  settled(): Promise<void> {
    return until(
      'the end of all work',
      async () => {
        await this.expireLeases();
        const { live, held } = await this.pagesNow();
        return live + held === 1 + this.files;
      },
      60_000,
    );
  }

  /** The pages that are counted, those of documents that are searchable or about to be, and those that wait. */
  async pagesNow(): Promise<{ counted: number; live: number; held: number }> {
    const sql = `select (select pages::int from ingestion.corpus where group_id = $1) as counted,
      coalesce(sum(pages) filter (where status in ('FRAGMENTADO', 'VECTORIZADO')), 0)::int as live,
      coalesce(sum(pages) filter (where status = 'RESUMIDO' and reason = 'QUOTA'), 0)::int as held
      from ingestion.document where group_id = $1 and deleted_at is null`;
    const [row] = await this.installation.rows<{ counted: number; live: number; held: number }>('ingestion', sql);
    return row ?? { counted: -1, live: -1, held: -1 };
  }

  search(): Promise<Answer> {
    return this.installation.ask('POST', '/v1/documents/search', { query: 'riego', limit: 1 });
  }

  /** Searches until retrieval has died as often as planned and the quota is used up. Answers the successes. */
  async searchDying(): Promise<{ readonly succeeded: number; readonly deaths: number }> {
    let [succeeded, deaths] = [0, 0];
    let process = await this.processOf('retrieval');
    for (;;) {
      const status = await this.search().then(
        (answer) => answer.status,
        () => 503,
      );
      if (status === 200) succeeded += 1;
      if (!lives(process)) {
        deaths += 1;
        process = await this.processOf('retrieval', process);
        await this.ageReservations();
      }
      if (status === 402) return { succeeded, deaths };
    }
  }

  /** What retrieval counted, and how many reservations of dead processes are left. */
  async retrievals(): Promise<{ used: number; held: number }> {
    const sql = `select used, (select count(*)::int from retrieval.taking t where t.group_id = a.group_id) as held
      from retrieval.allowance a where group_id = $1`;
    const [row] = await this.installation.rows<{ used: number; held: number }>('retrieval', sql);
    return row ?? { used: -1, held: -1 };
  }

  /** A process of a service other than the one that died. */
  private processOf(service: string, other = 0): Promise<number> {
    return retryUntilAvailable(
      `a process of ${service}`,
      () => this.installation.processesOf(service).find((pid) => pid !== other),
      60_000,
    );
  }

  private async expireLeases(): Promise<void> {
    await this.installation.change(
      'ingestion',
      `update ingestion.task set leased_until = now() - interval '1 second'
       where group_id = $1 and status = 'LEASED' and updated_at < now() - interval '3 seconds' returning stage`,
    );
  }

  private async ageReservations(): Promise<void> {
    const sql = `update retrieval.taking set taken_at = now() - interval '1 hour' where group_id = $1 returning taken_at`;
    await this.installation.change('retrieval', sql);
  }
}

/** Kills processes of both services; what their quotas count is what there is. */
export const quotasSurvive = (kills: number): void => {
  const quotas = new KilledQuotas(kills);
  beforeAll(() => quotas.start());
  afterAll(() => quotas.stop());
  const timeoutMs = 300_000 + kills * 90_000;

  it(
    'the pages counted are those of the documents, whenever ingestion dies',
    async () => {
      expect(await quotas.ingestDying()).toBe(kills);
      await quotas.settled();
      const { pages, files } = quotas;
      expect(await quotas.pagesNow()).toEqual({ counted: pages, live: pages, held: 1 + files - pages });
      const usage = await retryUntilAvailable('the usage', async () => {
        const { status, body } = await quotas.installation.ask('GET', '/v1/usage');
        return status === 200 ? body : undefined;
      });
      expect(usage).toMatchObject({
        quotas: [{ feature: 'ACTIVE_CORPUS', included: pages, used: pages, on_limit: 'BLOCK' }, {}],
      });
    },
    timeoutMs,
  );

  it(
    'the retrievals counted are the successful ones, whenever retrieval dies',
    async () => {
      expect(await quotas.searchDying()).toEqual({ succeeded: quotas.searches, deaths: kills });
      expect(await quotas.retrievals()).toEqual({ used: quotas.searches, held: 0 });
    },
    timeoutMs,
  );
};
