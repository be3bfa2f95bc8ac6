import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { deleteDocument, revertDocument } from '@acervo/contracts';
import { Classifiers } from '../src/classification/classifiers';
import type { ClassifyJob } from '../src/classification/classify-job';
import { StaleDocumentsStore } from '../src/reclassification/stale-documents.store';
import { Bench } from './bench';
import { ClassifiedFolder } from './classified-folder';
import { pagedPdf } from './paged-pdf';

const FILES = {
  'acta.txt': 'Acta de la reunión. Consta el acuerdo de obra.',
  'contrato.txt': 'Contrato de suministro. Precio fijo y prórroga tácita.',
  'otro.txt': 'Una nota sin más.',
};
const ACTA = { code: 'ACTA', word: 'Acta' };
const PAPER = { code: 'PAPEL' };
const CONTRACT = { code: 'CONTRATO', word: 'Contrato' };

describe('the classification of documents', () => {
  let bench: Bench;
  beforeAll(async () => {
    bench = await Bench.open();
  });
  beforeEach(() => bench.forget());
  afterAll(() => bench.close());

  const typesOf = async (folder: ClassifiedFolder): Promise<Record<string, string | null>> =>
    Object.fromEntries((await folder.classes()).map(({ name, type }) => [name, type]));

  const ingested = async (files: Readonly<Record<string, string>> = FILES, ...types: object[]) => {
    const folder = await ClassifiedFolder.of(bench, files);
    if (types.length > 0) await folder.describe(...(types as (typeof ACTA)[]));
    await folder.scan();
    await bench.work(folder.groupId);
    return folder;
  };

  it('documents get their type before they are summarised', async () => {
    const folder = await ingested(FILES, ACTA, PAPER, { ...CONTRACT, parent: 'PAPEL' });
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA', 'contrato.txt': 'CONTRATO', 'otro.txt': null });
    expect(await folder.publishedTypes()).toEqual({
      'acta.txt': ['ACTA'],
      'contrato.txt': ['PAPEL', 'CONTRATO'],
      'otro.txt': [],
    });
  });

  it('a group without types has no rows and publishes no codes', async () => {
    const folder = await ingested();
    expect(await folder.classes()).toEqual([]);
    expect(await folder.publishedTypes()).toEqual({
      'acta.txt': undefined,
      'contrato.txt': undefined,
      'otro.txt': undefined,
    });
    expect(bench.cpu.count('classify')).toBe(0);
  });

  it('a changed content replaces type and features', async () => {
    const folder = await ingested({ 'a.txt': FILES['acta.txt'] }, ACTA, CONTRACT);
    await folder.addFeature('ACTA', 'ACUERDO', 'acuerdo');
    await folder.addFeature('CONTRATO', 'PRORROGA', 'prórroga');
    await bench.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'ACTA', features: ['ACUERDO'] }]);
    writeFileSync(join(folder.path, 'a.txt'), FILES['contrato.txt']);
    await folder.scan();
    await bench.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'CONTRATO', features: ['PRORROGA'] }]);
  });

  it('the first type reaches documents that were ingested before it', async () => {
    const folder = await ingested();
    await folder.describe(ACTA);
    await bench.work(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA', 'contrato.txt': null, 'otro.txt': null });
  });

  it('a changed type moves documents, and nothing is extracted, cut or embedded', async () => {
    const folder = await ingested(FILES, ACTA);
    const before = await folder.sql(
      `select count(*)::int as results, (select count(*)::int from ingestion.task t where t.group_id = $1
         and t.stage <> 'classify-again') as tasks from ingestion.step_result where group_id = $1`,
    );
    await bench.forget();
    await folder.describe(ACTA, CONTRACT);
    await bench.work(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA', 'contrato.txt': 'CONTRATO', 'otro.txt': null });
    expect(new Set(bench.cpu.runs)).toEqual(new Set(['classify']));
    expect(bench.source.read).toEqual([]);
    expect(
      await folder.sql(
        `select count(*)::int as results, (select count(*)::int from ingestion.task t where t.group_id = $1
           and t.stage <> 'classify-again') as tasks from ingestion.step_result where group_id = $1`,
      ),
    ).toEqual(before);
    expect((await bench.published()).map(({ topic }) => topic)).toEqual(['document.described.v1']);
    expect(await folder.publishedTypes()).toEqual({ 'contrato.txt': ['CONTRATO'] });
  });

  it('a moved type publishes its new path', async () => {
    const folder = await ingested(FILES, ACTA, CONTRACT);
    await bench.forget();
    await folder.describe(PAPER, { ...CONTRACT, parent: 'PAPEL' });
    await bench.work(folder.groupId);
    expect(await folder.publishedTypes()).toEqual({ 'contrato.txt': ['PAPEL', 'CONTRATO'] });
  });

  it('a changed feature reads documents of its type and below only', async () => {
    const below = [
      { ...CONTRACT, parent: 'PAPEL' },
      { code: 'NOTA', parent: 'PAPEL', word: 'nota' },
    ];
    const folder = await ingested(FILES, ACTA, PAPER, ...below);
    await bench.forget();
    const read = jest.spyOn(bench.objects, 'get');
    await folder.addFeature('PAPEL', 'PRORROGA', 'prórroga');
    await bench.work(folder.groupId);
    expect(read).toHaveBeenCalledTimes(2);
    read.mockRestore();
    expect((await folder.classes()).map(({ version, features }) => [version, features])).toEqual([
      [2, []],
      [2, ['PRORROGA']],
      [2, []],
    ]);
    expect((await bench.published()).length).toBe(1);
    expect(await folder.sql(`select from ingestion.taxonomy_change where group_id = $1`)).toEqual([]);
  });

  it('without types the rows go, and retrieval learns of it', async () => {
    const folder = await ingested(FILES, ACTA);
    await bench.forget();
    await folder.removeTypes();
    await bench.work(folder.groupId);
    expect(await folder.classes()).toEqual([]);
    expect(await folder.publishedTypes()).toEqual({ 'acta.txt': [] });
    writeFileSync(join(folder.path, 'new.txt'), 'Acta nueva.');
    await folder.scan();
    await bench.work(folder.groupId);
    expect(await folder.classes()).toEqual([]);
  });

  it('contents and boundaries that a vector may decide are embedded once', async () => {
    const folder = await ClassifiedFolder.of(bench, {
      'a.txt': 'obra puente presupuesto',
      'b.txt': 'obra puente presupuesto',
    });
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola' });
    await folder.scan();
    await bench.workStage(folder.groupId, 'acquire');
    expect(await folder.classes()).toMatchObject([{ awaits: true }, { awaits: true }]);
    await bench.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([
      { type: 'OBRA', source: 'SIMILARITY', awaits: false },
      { type: 'OBRA', source: 'SIMILARITY', awaits: false },
    ]);
    // Two files of one content, and the boundary.
    expect(bench.cpu.count('embedTexts')).toBe(2);
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola acera' });
    await bench.work(folder.groupId);
    expect(bench.cpu.count('embedTexts')).toBe(3);
  });

  it('the vector of an example that a rule decides is kept', async () => {
    const folder = await ingested({ 'acta.txt': FILES['acta.txt'], 'obra.txt': 'obra puente presupuesto' }, ACTA);
    await folder.sql(`insert into ingestion.document_type (group_id, code, name) values ($1, 'OBRA', 'OBRA')`);
    await folder.sql(
      `insert into ingestion.type_example (group_id, type_code, document_id)
       select group_id, 'OBRA', document_id from ingestion.document where group_id = $1 and name = 'acta.txt'`,
    );
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola' });
    await bench.work(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA', 'obra.txt': 'OBRA' });
    // A process that never embedded anything.
    const other = await bench.beside();
    await folder.describe({ code: 'OBRA', includes: 'obra puente calle farola' });
    await other.work(folder.groupId);
    expect(await folder.classes()).toMatchObject([
      { type: 'ACTA', version: 3 },
      { type: 'OBRA', version: 3 },
    ]);
    // The boundary alone.
    expect(other.cpu.count('embedTexts')).toBe(1);
  });

  it('concurrent callers embed a boundary once, and groups share no vector of it', async () => {
    const embeddedBy = async (): Promise<void> => {
      const folder = await ClassifiedFolder.of(bench, {});
      await folder.describe({ code: 'OBRA', includes: 'acera farola banco' });
      const classifiers = bench.instance(Classifiers);
      const classifier = await classifiers.at(folder, 1);
      if (classifier === null) throw new Error('The group has a type.');
      const embed = () => classifiers.withVectors(folder, classifier, () => Promise.resolve());
      await Promise.all([embed(), embed()]);
    };
    await embeddedBy();
    expect(bench.cpu.count('embedTexts')).toBe(1);
    await embeddedBy();
    expect(bench.cpu.count('embedTexts')).toBe(2);
  });

  it('a slice is cut into jobs of few documents, in their order', async () => {
    const files = Array.from({ length: 20 }, (_, at) => [`f${at}.txt`, at % 2 === 0 ? `Acta ${at}.` : `Nota ${at}.`]);
    const folder = await ingested(Object.fromEntries(files) as Record<string, string>);
    const ran = jest.spyOn(bench.cpu, 'run');
    await folder.describe(ACTA);
    await bench.work(folder.groupId);
    const jobs = ran.mock.calls.map(([, input]) => (input as ClassifyJob).documents.length);
    ran.mockRestore();
    expect(Math.max(...jobs)).toBe(8);
    const types = (await folder.classes()).map(({ name, type }) => [name, type]);
    expect(types).toEqual(files.map(([name], at) => [name, at % 2 === 0 ? 'ACTA' : null]).toSorted());
  });

  it('documents that wait for their steps go first', async () => {
    const folder = await ingested(FILES, ACTA);
    writeFileSync(join(folder.path, 'new.txt'), 'Acta nueva.');
    await folder.scan();
    await folder.describe(ACTA, CONTRACT);
    await bench.workStage(folder.groupId, 'classify-again');
    expect(await typesOf(folder)).toMatchObject({ 'contrato.txt': null });
    await bench.exhaust(folder.groupId);
    expect(await typesOf(folder)).toMatchObject({ 'contrato.txt': 'CONTRATO', 'new.txt': 'ACTA' });
  });

  it('a type that changes while a document is in a step reaches the document', async () => {
    const folder = await ClassifiedFolder.of(bench, { 'acta.txt': FILES['acta.txt'] });
    await folder.describe({ code: 'OTRO', word: 'nada' });
    await bench.work(folder.groupId);
    await folder.scan();
    const run = bench.cpu.run.bind(bench.cpu);
    let isChanged = false;
    const ran = jest.spyOn(bench.cpu, 'run').mockImplementation(async (...of) => {
      if (!isChanged && of[0].name === 'classify') {
        isChanged = true;
        await folder.describe(ACTA);
        await bench.workStage(folder.groupId, 'classify-again');
      }
      return run(...of);
    });
    await bench.workStage(folder.groupId, 'acquire');
    ran.mockRestore();
    expect(isChanged).toBe(true);
    await bench.exhaust(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA' });
  });

  it('a step that classifies a document about to be raised leaves it stale', async () => {
    const folder = await ingested({ 'a.txt': FILES['acta.txt'] }, ACTA, CONTRACT);
    await folder.addFeature('CONTRATO', 'PRORROGA', 'prórroga');
    const classifiers = bench.instance(Classifiers);
    const at = classifiers.at.bind(classifiers);
    let isChanged = false;
    const asked = jest.spyOn(classifiers, 'at').mockImplementation(async (...of) => {
      if (!isChanged) {
        isChanged = true;
        writeFileSync(join(folder.path, 'a.txt'), FILES['contrato.txt']);
        await folder.scan();
        await bench.workStage(folder.groupId, 'acquire');
        // The batch of the step began before the feature was added.
        await folder.sql(`delete from ingestion.document_feature where group_id = $1`);
        await folder.sql(`update ingestion.document_class set taxonomy_version = 1 where group_id = $1`);
      }
      return at(...of);
    });
    await bench.workStage(folder.groupId, 'classify-again');
    asked.mockRestore();
    expect(isChanged).toBe(true);
    await bench.exhaust(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'CONTRATO', version: 2, features: ['PRORROGA'] }]);
  });

  it('a first type that is described while a document is in a step reaches the document', async () => {
    const folder = await ClassifiedFolder.of(bench, { 'acta.txt': FILES['acta.txt'] });
    await folder.scan();
    const run = bench.cpu.run.bind(bench.cpu);
    let isChanged = false;
    const ran = jest.spyOn(bench.cpu, 'run').mockImplementation(async (...of) => {
      if (!isChanged && of[0].name === 'summarise') {
        isChanged = true;
        await folder.describe(ACTA);
        await bench.workStage(folder.groupId, 'classify-again');
      }
      return run(...of);
    });
    await bench.workStage(folder.groupId, 'acquire');
    ran.mockRestore();
    await bench.exhaust(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA' });
  });

  it('a document of a program that does not classify gets its type on the way', async () => {
    const folder = await ingested({ 'acta.txt': FILES['acta.txt'] }, ACTA);
    await folder.sql(`delete from ingestion.document_class where group_id = $1`);
    await folder.sql(`update ingestion.document set status = 'EXTRAIDO' where group_id = $1`);
    await folder.sql(
      `update ingestion.task set status = 'WAITING', stage = 'summarise' where group_id = $1 and stage = 'acquire'`,
    );
    await bench.work(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA' });
  });

  it('a deleted document has neither type nor features; one that is taken back gets them again', async () => {
    const folder = await ingested({ 'acta.txt': FILES['acta.txt'] }, ACTA);
    await folder.addFeature('ACTA', 'ACUERDO', 'acuerdo');
    await bench.work(folder.groupId);
    const [{ code } = { code: '' }] = await folder.sql<{ code: string }>(
      `select code from ingestion.document where group_id = $1`,
    );
    const change = (status: string): Promise<unknown> =>
      bench.askAs(revertDocument, folder.groupId, { document_code: code, status }, {}, 'operations');
    await change('CLASSIFIED');
    expect(await folder.classes()).toMatchObject([{ type: 'ACTA', features: ['ACUERDO'] }]);
    await change('EXTRACTED');
    expect(await folder.classes()).toEqual([]);
    await bench.exhaust(folder.groupId);
    expect(await folder.classes()).toMatchObject([{ type: 'ACTA', features: ['ACUERDO'] }]);
    await bench.askAs(deleteDocument, folder.groupId, { document_code: code }, {}, 'operations');
    expect(await folder.classes()).toEqual([]);
    expect(await folder.sql(`select from ingestion.document_feature where group_id = $1`)).toEqual([]);
  });

  it('a classified document whose task waits is summarised', async () => {
    const folder = await ingested({ 'acta.txt': FILES['acta.txt'] }, ACTA);
    await folder.sql(`update ingestion.document set status = 'CLASIFICADO' where group_id = $1`);
    await folder.sql(
      `update ingestion.task set status = 'WAITING', stage = 'summarise' where group_id = $1 and stage = 'acquire'`,
    );
    await bench.work(folder.groupId);
    expect(await folder.sql(`select status from ingestion.document where group_id = $1`)).toEqual([
      { status: 'FRAGMENTADO' },
    ]);
  });

  it('a comparison of the stores looks at documents that nothing classified', async () => {
    const folder = await ingested(FILES, ACTA);
    await folder.sql(`delete from ingestion.document_class where group_id = $1`);
    const planned = await folder.lookAtEvery();
    const raised = jest.spyOn(bench.instance(StaleDocumentsStore), 'raise');
    expect(planned).toEqual([{ generation: 2, status: 'WAITING' }]);
    await bench.work(folder.groupId);
    expect(await typesOf(folder)).toEqual({ 'acta.txt': 'ACTA', 'contrato.txt': null, 'otro.txt': null });
    // Nothing is raised, so no transaction is opened for it.
    expect(raised).not.toHaveBeenCalled();
    raised.mockRestore();
  });

  it('a comparison of the stores plans nothing once the types are removed', async () => {
    const folder = await ingested(FILES, ACTA);
    await folder.removeTypes();
    await bench.work(folder.groupId);
    expect(await folder.lookAtEvery()).toEqual([]);
  });

  it('a page of evidence is that of the text', async () => {
    const folder = await ClassifiedFolder.of(bench, {
      'a.pdf': pagedPdf(['Contrato de obra', 'Consta el acuerdo']),
    });
    await folder.describe(CONTRACT);
    await folder.addFeature('CONTRATO', 'ACUERDO', 'el acuerdo');
    await folder.scan();
    await bench.work(folder.groupId);
    expect(await folder.sql(`select page, quote from ingestion.document_feature where group_id = $1`)).toEqual([
      { page: 2, quote: 'el acuerdo' },
    ]);
  });
});
