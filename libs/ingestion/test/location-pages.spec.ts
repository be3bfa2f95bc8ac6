import { createHash } from 'node:crypto';
import { generateLocationPage, getAcquisitionSkill, listLocations, runSkill } from '@acervo/contracts';
import { acquisitionTexts } from '../src/acquisition/acquisition-skills';
import { Bench } from './bench';
import { IngestedFolder } from './ingested-folder';

type JsonObject = Record<string, unknown>;

const WATER = 'The council shares the water of the river among the farms of the valley.';
const ROADS = 'The council repairs the roads of the valley before the winter of each year begins.';
const SECRET = 'The mayor sells the old mill to the bakery for nine hundred euros in cash.';

describe('folders and their instructions', () => {
  let bench: Bench;
  let folder: IngestedFolder;
  let root: string;
  beforeAll(async () => {
    bench = await Bench.open();
    folder = await IngestedFolder.of(bench, {
      ...{ 'water.txt': WATER, 'roads/plan_*draft*.txt': ROADS, 'secret/mill.txt': SECRET },
    });
    const [row] = await folder.sql<{ code: string }>(
      `select code from ingestion.location where group_id = $1 and parent_code is null`,
    );
    root = row?.code ?? '';
    await folder.sql(
      `update ingestion.document set entity_code = 'E2' where group_id = $1 and relative_path like 'secret/%'`,
    );
  });
  afterAll(() => bench.close());

  const generate = (location_code = root, claims = {}): Promise<JsonObject> =>
    bench.askAs(generateLocationPage, folder.groupId, { location_code }, claims, 'operations');
  const list = async (input: JsonObject, claims = {}): Promise<JsonObject[]> =>
    (await bench.askAs(listLocations, folder.groupId, input, claims))['locations'] as JsonObject[];
  const both = { entities: ['E1', 'E2'] };

  describe('the page of a folder', () => {
    it('it has what lies in the folder, with summaries that name their document', async () => {
      const { page, derived_from } = await generate();
      const documents = await folder.documents();
      const codeOf = (path: string): string => documents.find((row) => row.path === path)?.code ?? '';
      expect(page).toContain('- Documents: 2\n');
      expect(page).toMatch(/## Folders\n\n- roads \(L\d+\): 1\n- secret \(L\d+\): 0\n/);
      expect(page).toContain(`- water.txt (${codeOf('water.txt')}): ${WATER} (${codeOf('water.txt')})`);
      expect(page).toContain('plan\\_\\*draft\\*.txt');
      expect((derived_from as JsonObject[]).map(({ document_code }) => document_code)).toEqual(
        [codeOf('water.txt'), codeOf('roads/plan_*draft*.txt')].toSorted(),
      );
    });

    it('a reader who sees more documents gets them on the same page', async () => {
      await generate();
      const [narrow] = await list({ query: root, with_pages: true });
      const [wide] = await list({ query: root, with_pages: true }, both);
      expect(narrow?.['page']).not.toContain('mill');
      expect(wide?.['page']).toContain(SECRET);
      expect(wide?.['page_at']).toBe(narrow?.['page_at']);
    });

    it('it has the present name of the folder, and is not stored', async () => {
      await generate(root, both);
      await folder.sql(`update ingestion.location set name = 'renamed' where group_id = $1 and code = '${root}'`);
      const [item] = await list({ query: root, with_pages: true });
      expect(item?.['page']).toMatch(/^# renamed\n\n- Code: L\d+\n- Entity: E1\n\n- Documents: \d/);
      expect(await folder.sql(`select from ingestion.location where group_id = $1 and page is not null`)).toEqual([]);
    });

    it('quotes of a summary have their place', async () => {
      const [document] = (await folder.documents()).filter(({ path }) => path === 'water.txt');
      const target = { skill_code: 'DOCUMENT-SUMMARY', document_code: document?.code };
      await bench.askAs(runSkill, folder.groupId, target);
      await bench.exhaust(folder.groupId);
      expect((await generate())['page']).toContain(`  - “${WATER}” (${document?.code})`);
    });

    it('folders without a page, and lists without pages, have none', async () => {
      await generate();
      const folders = await list({ with_pages: true, limit: 50 });
      expect(folders.filter(({ page }) => page !== null)).toHaveLength(1);
      expect((await list({ query: root })).every((item) => !('page' in item))).toBe(true);
    });

    it('an invisible folder is absent', async () => {
      await expect(generate(root, { entities: ['E2'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
      await expect(generate('L999')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });

  describe('the instructions of a folder', () => {
    const show = (input: JsonObject = {}, claims = {}): Promise<JsonObject> =>
      bench.askAs(getAcquisitionSkill, folder.groupId, { location_code: root, ...input }, claims, 'operations');
    const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');
    beforeEach(() => {
      bench.parameters.set('LANGUAGE', 'es');
      Object.assign(bench.prompts, { group: 'Trata de usted.', entity: 'Somos una notaría.' });
    });

    it('they are the texts of product, group, entity and skill', async () => {
      const { layers, prompt, acquisition } = await show();
      const parts = layers as Record<string, string>[];
      expect(acquisition).toBe('ACQUISITION-FOLDER');
      expect(parts.map(({ kind, code }) => [kind, code])).toEqual([
        ['PRODUCT', 'DATA-RULE'],
        ['GROUP', 'G1'],
        ['ENTITY', 'E1'],
        ['SKILL', 'ACQUISITION-FOLDER'],
      ]);
      expect(parts.at(-1)?.['text']).toBe(acquisitionTexts['ACQUISITION-FOLDER'].texts.es);
      expect(prompt).toBe(parts.map(({ text }) => text).join('\n\n'));
    });

    it('their hashes can be computed from the answer, and change with one character', async () => {
      const { layers, prompt_hash } = await show();
      const parts = layers as Record<string, string>[];
      for (const { text, sha256: hash } of parts) expect(hash).toBe(sha256(text ?? ''));
      const fields = parts.map(({ kind, code, version, sha256: hash }) => [kind, code, version, hash]);
      expect(prompt_hash).toBe(sha256(JSON.stringify(fields)));
      bench.prompts.group = 'Trata de usted!';
      expect((await show())['prompt_hash']).not.toBe(prompt_hash);
    });

    it('texts that are not written have no layer', async () => {
      bench.prompts.entity = '';
      expect((await show())['layers']).toHaveLength(3);
    });

    it('they are in the language of the group, also for the web', async () => {
      bench.parameters.set('LANGUAGE', 'en');
      const { layers } = await show({ acquisition: 'ACQUISITION-WEB' });
      expect((layers as JsonObject[]).at(-1)).toMatchObject({
        ...{ code: 'ACQUISITION-WEB', text: acquisitionTexts['ACQUISITION-WEB'].texts.en },
      });
    });

    it('an invisible folder has none', async () => {
      await expect(show({}, { entities: ['E2'] })).rejects.toMatchObject({ code: 'NOT_FOUND' });
    });
  });
});
