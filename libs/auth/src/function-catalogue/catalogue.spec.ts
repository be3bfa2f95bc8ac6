import {
  aliasOfFunction,
  allOperations,
  contractedOperations,
  encode,
  RoleRecord,
  type Screen,
  screenNames,
  screens,
} from '@acervo/contracts';
import {
  applicationName,
  behaviourClass,
  builtInRole,
  functionDescription,
  functionName,
  functionSummary,
  roleDescription,
  roleDocument,
  roleName,
  spanishDocumentTexts,
} from '@acervo/public-mapping';
import { levelOf } from '@acervo/rbac';
import { functionContents, type FunctionContent } from './content';
import { compileRole } from './markdown';
import { globalRoles } from './roles';
import { applications, screenSeeds } from './screens';
import { catalogueSeeds, SEED_VERSION, seedDigest, servedContents } from './seed';

const byCode = (contents: readonly FunctionContent[]) => contents.map((content) => [content.code, content] as const);
const named = byCode(servedContents);

/** Every sentence for users, with its screen. */
const sentencesOf = ({ description, summary, sections, behaviours }: FunctionContent): string[] =>
  [description, summary, ...sections.map(({ text }) => text), ...behaviours.map(({ text }) => text)]
    .flatMap((text) => text.split(/(?<=[.:?!])\s+/))
    .map((sentence) => sentence.trim().toLowerCase())
    .filter((sentence) => sentence !== '');

const screensInOrder = Object.keys(screenSeeds);

/** A role of the product as its row is read, with its document. */
const recordOf = (role: (typeof globalRoles)[number] | undefined): RoleRecord => {
  if (role === undefined) throw new Error('The product has a role.');
  const functions = role.functions.flatMap((code) => servedContents.filter((content) => content.code === code));
  const rest = { groupCode: null, isGlobal: true, isProtected: true, position: 1, documentedAt: null };
  const document = compileRole({ ...role, functions, applications });
  return Object.assign(new RoleRecord(), { ...role, ...rest, roleId: role.id, document });
};

/** Texts of the product in Spanish that a document contains. */
const internalPartsOf = (document: string): readonly string[] =>
  spanishDocumentTexts().filter((text) => document.includes(text.replaceAll('_', '\\_')));

describe('the roles of the product', () => {
  it('each role of the product has a public name', () => {
    expect(globalRoles.map(({ code }) => code)).toEqual(builtInRole.internalCodes);
  });
  it('each text of a role or an application has an English one', () => {
    expect(globalRoles.map(({ name }) => name)).toEqual(roleName.internalCodes);
    expect(globalRoles.map(({ description }) => description)).toEqual(roleDescription.internalCodes);
    expect(applications.map(({ name }) => name)).toEqual(applicationName.internalCodes);
    const contents = screensInOrder.map((code) => servedContents.find((content) => content.code === code));
    expect(contents.map((content) => content?.name)).toEqual(functionName.internalCodes);
    expect(contents.map((content) => content?.description)).toEqual(functionDescription.internalCodes);
    expect(contents.map((content) => content?.summary)).toEqual(functionSummary.internalCodes);
  });
  it.each(named)('the public summary of %s is English', (_code, { summary }) => {
    const english = functionSummary.toPublic(summary);
    expect(english).not.toMatch(/[áéíóúñ]|\b(?:de|los|las|del|una?|que|con|por)\b/i);
    expect(functionSummary.toInternal(english)).toBe(summary);
  });
  it('a screen has the title that other services name it by', () => {
    expect(Object.fromEntries(functionContents.map(({ code, name }) => [code, name]))).toEqual(screenNames);
  });
  it('a role of the product has an English document on /v1 and a Spanish one inside', () => {
    const record = recordOf(globalRoles[0]);
    expect(encode(RoleRecord, record, 'public')).toMatchObject({
      ...{ name: 'Group administrator', description: roleDescription.publicCodes[0] },
      document: expect.stringContaining('# Group administrator\n') as string,
    });
    expect(encode(RoleRecord, record)).toMatchObject({
      ...{ nombre: 'Administrador del grupo', documento_md: record.document },
    });
  });
  it.each(globalRoles.map((role) => [role.code, role] as const))('the document of %s is English', (_code, role) => {
    const spanish = String(recordOf(role).document);
    const english = roleDocument.toPublic(spanish);
    expect(english.split('\n')).toHaveLength(spanish.split('\n').length);
    expect(internalPartsOf(english)).toEqual([]);
    expect(internalPartsOf(spanish).length).toBeGreaterThan(5);
    expect(english).not.toMatch(/[áéíóúñ]|\b(?:de|los|las|del|Código|Nivel|Funciones|Aplicaciones)\b/);
    expect(roleDocument.toPublic(english)).toBe(english);
  });
  it('each function has an English alias of its own', () => {
    const aliases = screens.map(aliasOfFunction);
    expect(new Set(aliases).size).toBe(screens.length);
    for (const alias of aliases) expect(alias).toMatch(/^[a-z]+(_[a-z]+)*$/);
  });
});

describe('the descriptions of the screens', () => {
  it('every screen has exactly one description', () => {
    expect(functionContents.map(({ code }) => code).toSorted()).toEqual(screens.toSorted());
  });
  it.each(['alias', 'url', 'name'] as const)('no two screens share their %s', (property) => {
    expect(new Set(functionContents.map((content) => content[property])).size).toBe(screens.length);
  });
  it('no two screens share a sentence', () => {
    const places = new Map<string, Set<string>>();
    for (const [code, content] of byCode(functionContents))
      for (const sentence of sentencesOf(content)) places.set(sentence, (places.get(sentence) ?? new Set()).add(code));
    expect([...places].filter(([, codes]) => codes.size > 1)).toEqual([]);
  });
  it.each(named)('texts of %s are within their bounds', (_code, { name, alias, description, summary, url }) => {
    const lengths = [name, alias, description, summary].map(({ length }) => length);
    expect(lengths.every((length, index) => length > 0 && length <= [80, 30, 300, 1_000][index]!)).toBe(true);
    expect(url).toMatch(/^\/[a-z0-9-]+(\/[a-z0-9-]+)*$/);
  });
  it.each(named)('%s has sections, and every behaviour belongs to one', (_code, { sections, behaviours }) => {
    const titles = sections.map(({ title }) => title);
    expect(titles.length).toBeGreaterThanOrEqual(2);
    expect(new Set(titles).size).toBe(titles.length);
    expect(behaviours.filter(({ section }) => !titles.includes(section))).toEqual([]);
    const classes = behaviours.map((behaviour) => behaviour.class);
    expect(classes).toEqual(expect.arrayContaining(['NAVEGACION', 'INTERACCION']));
    expect(behaviourClass.internalCodes).toEqual(expect.arrayContaining(classes));
  });
  it.each(named)('behaviours of %s name operations of it alone', (code, { behaviours }) => {
    const usable = allOperations().flatMap((each) => (each.screens.includes(code) ? [each.code] : []));
    const namedHere = behaviours.flatMap(({ operations = [] }) => operations);
    expect(namedHere.filter((operation) => !usable.includes(operation))).toEqual([]);
  });
});

describe('a screen that is not built', () => {
  const planned = functionContents.filter(({ isPlanned }) => isPlanned === true).map(({ code }) => code);
  const operationsOf = (screen: Screen) => allOperations().filter((operation) => operation.screens.includes(screen));

  it('a planned screen says so first, and no operation of it writes', () => {
    for (const { code, description } of servedContents)
      expect([code, description.startsWith('Prevista: ')]).toEqual([code, planned.includes(code)]);
    expect(planned.flatMap(operationsOf).filter(({ kind }) => kind !== 'read')).toEqual([]);
  });
  it('a screen without operations of its subject is planned', () => {
    const built = screens.filter((screen) => operationsOf(screen).some(({ code }) => code !== 'functions.get'));
    expect(screens.filter((screen) => !built.includes(screen) && !planned.includes(screen))).toEqual([]);
  });
});

describe('the catalogue that is seeded', () => {
  it('each operation has the lowest level of its screens', () => {
    for (const row of contractedOperations)
      expect(Math.min(...row.screens.map((screen) => levelOf(screenSeeds[screen].profile)))).toBe(levelOf(row.profile));
  });
  it('built-in roles have ids below 100 and functions of their level', () => {
    expect(globalRoles.every(({ id }) => id < 100)).toBe(true);
    for (const role of globalRoles)
      for (const code of role.functions)
        expect(levelOf(screenSeeds[code].profile)).toBeLessThanOrEqual(levelOf(role.profile));
  });
  it('a database with an earlier seed is not taken for one of a newer version', () => {
    expect(catalogueSeeds.map((Seed) => new Seed().name)).toEqual([
      'AuthCatalogue1760000006000',
      'AuthCatalogue1760000007000',
      'AuthCatalogue1760000008000',
      'AuthCatalogue1760000009000',
      'AuthCatalogue1760000010000',
      'AuthCatalogue1760000011000',
      'AuthCatalogue1760000012000',
      'AuthCatalogue1760000013000',
      `AuthCatalogue${SEED_VERSION}`,
    ]);
  });

  it('a changed seed has a new version: raise it, update the digest', () => {
    expect([SEED_VERSION, seedDigest.slice(0, 16)]).toMatchInlineSnapshot(`
     [
       1760000014000,
       "60537f85f8f63ee0",
     ]
    `);
  });
});
