import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { Embedder, Embedders, EmbedderUnavailable, HashingEmbedder } from '@acervo/models';
import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';

/** An embedder behind an address, which may be away. */
class DistantEmbedder extends Embedder {
  override readonly remote = true;
  readonly embeddingModel = new HashingEmbedder().embeddingModel;
  isAway = true;
  readonly asked: string[] = [];

  override async embed(texts: string[]): Promise<Float32Array[]> {
    this.asked.push(...texts);
    if (this.isAway) throw new EmbedderUnavailable('the test says so');
    return new HashingEmbedder().embed(texts);
  }
}

describe('the classification of documents beside a distant embedder', () => {
  const embedder = new DistantEmbedder();
  let distant: Bench;
  beforeAll(async () => {
    distant = await Bench.open(new Embedders(embedder));
  });
  afterAll(() => distant.close());

  it('a decision by terms holds until the embedder answers', async () => {
    const folder = await ClassifiedFolder.of(distant, { 'a.txt': 'obra puente presupuesto' });
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola' });
    await folder.scan();
    await distant.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'OBRA', awaits: true }]);
    const [waiting] = await folder.sql<{ later: boolean; status: string }>(
      `select not_before > updated_at + interval '20 seconds' as later, status from ingestion.task
       where group_id = $1 and stage = 'classify-again' and generation = 1`,
    );
    expect(waiting).toEqual({ later: true, status: 'WAITING' });
    embedder.isAway = false;
    await distant.exhaust(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'OBRA', awaits: false }]);
    const asked = embedder.asked.length;
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle' });
    await distant.work(folder.groupId);
    // The changed boundary alone.
    expect(embedder.asked.length).toBe(asked + 1);
  });

  describe('documents that arrive in any order', () => {
    const TEXTS: Readonly<Record<string, string>> = {
      'acta.txt': 'Acta de la sesión. Consta el acuerdo de obra sobre el puente.',
      'obra.txt': 'obra puente presupuesto',
      'calle.txt': 'La calle mayor tendrá una farola junto al puente cuando acabe la obra.',
      'receta.txt': 'Una sopa de ajo con pan, huevo y pimentón.',
      'agua.txt': 'riego acequia agua finca turno',
    };
    const names = Object.keys(TEXTS);
    type Found = Record<string, unknown>;
    /** The scans that find them, whether the embedder is away at each, and before which one the types are described. */
    interface History {
      readonly batches: readonly (readonly string[])[];
      readonly away: readonly boolean[];
      readonly types: number;
    }
    const histories: fc.Arbitrary<History> = fc
      .record({
        order: fc.shuffledSubarray(names, { minLength: names.length }),
        cut: fc.integer({ min: 1, max: names.length - 1 }),
        away: fc.tuple(fc.boolean(), fc.boolean()),
        types: fc.nat(2),
      })
      .map(({ order, cut, ...more }) => ({ batches: [order.slice(0, cut), order.slice(cut)], ...more }));

    const ingested = async ({ batches, away, types }: History): Promise<Found[]> => {
      const folder = await ClassifiedFolder.of(distant, {});
      for (const [place, batch] of batches.entries()) {
        if (place === types) await describeTypes(folder);
        embedder.isAway = away[place] ?? false;
        for (const name of batch) writeFileSync(join(folder.path, name), TEXTS[name] ?? '');
        await folder.scan();
        await distant.work(folder.groupId);
      }
      if (types >= batches.length) await describeTypes(folder);
      embedder.isAway = false;
      await distant.exhaust(folder.groupId);
      return found(folder);
    };
    const describeTypes = async (folder: ClassifiedFolder): Promise<void> => {
      await folder.describe(
        { code: 'ACTA', word: 'Acta' },
        { code: 'OBRA', includes: 'obra puente calle farola' },
        { code: 'RIEGO', includes: 'agua riego acequia' },
      );
      await folder.addFeature('ACTA', 'ACUERDO', 'consta el acuerdo');
      await folder.addFeature('OBRA', 'FAROLA', 'farola');
    };
    const found = (folder: ClassifiedFolder): Promise<Found[]> =>
      folder.sql(
        `select d.name, c.type_code, c.source, c.score, c.margin, c.runner_up, c.evidence, c.awaits_vector,
           (select coalesce(jsonb_agg(jsonb_build_array(f.code, f.value, f.start_at, f.quote) order by f.code), '[]')
              from ingestion.document_feature f
              where f.group_id = c.group_id and f.document_id = c.document_id) as features
         from ingestion.document_class c join ingestion.document d using (group_id, document_id)
         where c.group_id = $1 order by d.name`,
      );

    let expected: Found[];
    beforeAll(async () => {
      expected = await ingested({ batches: [names], away: [], types: 0 });
    });

    it('have types and features when they arrive at once', () => {
      expect(expected.map(({ type_code }) => type_code)).toEqual(['ACTA', 'RIEGO', 'OBRA', 'OBRA', null]);
    });

    it.each(fc.sample(histories, { seed: 39, numRuns: 3 }))('have the same types and features: %j', async (history) => {
      expect(await ingested(history)).toEqual(expected);
    });
  });
});
