import type { Named } from '@acervo/contracts';
import type { Installation } from './fixture';

/** What the fixture creates for the tested group in a new installation. */
export const ownGroup = {
  ...{ area: 'A1', entity: 'E1', role: 'NADA', user: 'persona@example.org' },
  ...{ documentType: 'ACTA', featureCategory: 'FECHAS', feature: 'REUNION', space: 1 },
  ...{ groupProcess: 'RENOVAR', groupTask: 'FIRMAR', process: 'P1' },
} as const;

type Listed = readonly Readonly<Record<string, string | number>>[];

const locationCalled = async (installation: Installation, query: string): Promise<string | number> => {
  const { locations } = await installation.result('locations.list', { query });
  return (locations as Listed)[0]?.['code'] ?? 'L1';
};

/** The web location of the group. */
export const webLocationOf = (installation: Installation): Promise<string | number> =>
  locationCalled(installation, 'riegos en la web');

/** Documents of the group by name. */
export const documentsOf = async ({ program }: Installation): Promise<readonly string[]> => {
  const { documents } = (await program.ask('GET', '/v1/documents?limit=100')).body;
  return (documents as { code: string; name: string }[])
    .toSorted((one, other) => one.name.localeCompare(other.name))
    .map(({ code }) => code);
};

const lastRun = async (installation: Installation): Promise<string | number> => {
  const { runs } = await installation.result('pipeline_runs.list');
  return (runs as Listed)[0]?.['run'] ?? 0;
};

type Finder = (installation: Installation) => string | number | undefined | Promise<string | number | undefined>;

const finders: Readonly<Partial<Record<Named, Finder>>> = {
  area: () => ownGroup.area,
  document: async (installation) => (await documentsOf(installation))[0],
  document_type: () => ownGroup.documentType,
  entity: () => ownGroup.entity,
  feature: () => ownGroup.feature,
  feature_category: () => ownGroup.featureCategory,
  function: () => 'DOCUMENTS',
  group_process: () => ownGroup.groupProcess,
  group_task: () => ownGroup.groupTask,
  location: (installation) => locationCalled(installation, 'folder'),
  'new document_type': () => 'RECIBO',
  'new feature': () => 'FIRMA',
  'new feature_category': () => 'IMPORTES',
  'new group_process': () => 'REVISAR',
  'new group_task': () => 'LEER',
  'new user': () => 'nueva@example.org',
  parameter: () => 'LANGUAGE',
  skill: () => 'KEY-DATES',
  process: () => ownGroup.process,
  role: () => ownGroup.role,
  root: (installation) => locationCalled(installation, 'second'),
  run: lastRun,
  space: () => ownGroup.space,
  user: () => ownGroup.user,
};

/** An identifier of something that the group has. @throws Error with the entry to add for a new kind of thing */
export const thingOf = async (installation: Installation, named: Named): Promise<string | number> => {
  const found = await finders[named]?.(installation);
  if (found === undefined) throw new Error(`Let own-group.ts find a ${named}; an operation requires one.`);
  return found;
};
