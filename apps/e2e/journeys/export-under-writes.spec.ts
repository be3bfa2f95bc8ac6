import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Installation } from '../harness/installation';
import { freePort, Program, temporary, write } from '../harness/program';

type Row = Readonly<Record<string, unknown>>;

/** Rows of several pages. */
const AREAS = 900;
const RUNS = 2;

/** Renames an entity together with all its areas. */
const RENAME = `with areas as (update auth.area set name = $2 where group_id = $1 and entity_code = 'EX')
  update auth.entity set name = $2 where group_id = $1 and code = 'EX'`;
/** Replaces the last area in the order of an export by a new first one, or the reverse. */
const REPLACE = `with gone as (delete from auth.area where group_id = $1 and code = $2)
  insert into auth.area (group_id, code, entity_code, name) select $1, $3, 'EX', name from auth.entity
  where group_id = $1 and code = 'EX'`;

describe('an export while rows change', () => {
  const place = temporary();
  const [folder, data] = [join(place.path, 'folder'), join(place.path, 'data')];
  let installation: Installation;

  beforeAll(async () => {
    write(folder, { 'uno.txt': 'El puente viejo se cierra por obras.' });
    installation = await Installation.start({ folder, data, processes: false });
    await installation.running.ingested;
    await installation.change('auth', `insert into auth.entity (group_id, code, name) values ($1, 'EX', 'name 0')`);
    await installation.change(
      'auth',
      `insert into auth.area (group_id, code, entity_code, name)
       select $1, 'M' || n, 'EX', 'name 0' from generate_series(1001, ${1000 + AREAS}) n`,
    );
  });
  afterAll(async () => {
    await installation.stop();
    place.remove();
  });

  /** Changes rows until `ended`; answers the number of changes. */
  const changeUntil = async (ended: () => boolean): Promise<number> => {
    const ends = [`M${1000 + AREAS}`, 'A0'];
    let changes = 0;
    for (; !ended(); changes += 1) {
      await installation.change('auth', RENAME, [`name ${Math.random()}`]);
      await installation.change('auth', REPLACE, ends);
      ends.reverse();
    }
    if (ends[0] === 'A0') await installation.change('auth', REPLACE, ends);
    return changes;
  };

  it('every export is as of one moment', async () => {
    for (let run = 0; run < RUNS; run += 1) {
      const file = join(place.path, `export-${run}.json`);
      const command = Program.run({
        folder: null,
        data,
        port: await freePort(),
        commands: [{ name: 'export', value: file }],
      });
      let isOver = false;
      const [code, changes] = await Promise.all([
        command.ended.finally(() => (isOver = true)),
        changeUntil(() => isOver),
      ]);
      expect([code, changes > 5]).toEqual([0, true]);
      const { groups } = JSON.parse(readFileSync(file, 'utf8')) as {
        groups: { people: Record<string, Row[]> }[];
      };
      const { entity = [], area = [] } = groups[0]?.people ?? {};
      const name = entity.find((row) => row['code'] === 'EX')?.['name'];
      const areas = area.filter((row) => row['entity_code'] === 'EX');
      expect([areas.length, new Set(areas.map((row) => row['code'])).size]).toEqual([AREAS, AREAS]);
      expect(new Set(areas.map((row) => row['name']))).toEqual(new Set([name]));
    }
    const left = await installation.rows(
      'auth',
      `select count(*)::int as pages from auth.export_page where group_id = $1`,
    );
    expect(left).toEqual([{ pages: 0 }]);
  });
});
