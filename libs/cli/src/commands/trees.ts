import type { Input, Output } from '@acervo/client';
import type { CommandSession } from '../command-session';
import { type CommandContext, integer, type Options, present } from './command';

type Node = Output<'listAreas'>['areas'][number];

const nodesText = (session: CommandSession, nodes: readonly Node[], next: string | null): string =>
  session.table(
    ['CODE', 'NAME', 'PARENT', 'ENTITY'],
    nodes.map(({ code, name, parent_code, entity_code }) => [code, name, parent_code, entity_code]),
  ) + (next === null ? '' : `${session.messages.moreCursor}\n`);

const inputOf = ({ entity, parent, query, limit, cursor }: Options): Input<'listAreas'> =>
  present({ entity_code: entity, parent_code: parent, query, limit, cursor }) as Input<'listAreas'>;

const collectAll = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const all: T[] = [];
  for await (const item of items) all.push(item);
  return all;
};

const areas = async (session: CommandSession, options: Options): Promise<void> => {
  const [client, input] = [session.client(), inputOf(options)];
  const answer: Output<'listAreas'> =
    options['all'] === true
      ? { areas: await collectAll(client.areas(input)), next_cursor: null }
      : await client.listAreas(input);
  session.present(
    answer,
    (page) => page.areas,
    (page) => nodesText(session, page.areas, page.next_cursor),
  );
};

const locations = async (session: CommandSession, options: Options): Promise<void> => {
  const [client, input] = [session.client(), inputOf(options)];
  const answer: Output<'listLocations'> =
    options['all'] === true
      ? { locations: await collectAll(client.locations(input)), next_cursor: null }
      : await client.listLocations(input);
  session.present(
    answer,
    (page) => page.locations,
    (page) => nodesText(session, page.locations, page.next_cursor),
  );
};

const focusText = (
  session: CommandSession,
  { active_entity, active_area, effective_area }: Output<'getSession'>,
): string =>
  active_entity === null && effective_area === null
    ? `${session.messages.focusNothing}\n`
    : session.fields({ active_entity, active_area, effective_area });

const focus = async (session: CommandSession, options: Options): Promise<void> => {
  const client = session.client();
  const { entity, area, release, releaseArea } = options;
  let answer = await client.getSession();
  if (releaseArea === true || release === true) answer = await client.setActiveArea({ area_code: null });
  if (release === true) answer = await client.setActiveEntity({ entity_code: null });
  if (typeof entity === 'string') answer = await client.setActiveEntity({ entity_code: entity });
  if (typeof area === 'string') answer = await client.setActiveArea({ area_code: area });
  session.present(
    answer,
    (each) => [each],
    (each) => focusText(session, each),
  );
};

/** Areas, folders and the focus of the key. */
export const addTrees = ({ program, open, texts }: CommandContext): void => {
  for (const [name, description, action] of [
    ['areas', texts.areas, areas],
    ['locations', texts.locations, locations],
  ] as const)
    program
      .command(name)
      .description(description)
      .option('--entity <code>')
      .option('--parent <code>')
      .option('--query <text>')
      .option('--limit <n>', '', integer)
      .option('--cursor <cursor>')
      .option('--all')
      .action((options: Options, command) => action(open(command.optsWithGlobals() as Options), options));
  program
    .command('focus')
    .description(texts.focus)
    .option('--entity <code>')
    .option('--area <code>')
    .option('--release')
    .option('--release-area')
    .action((options: Options, command) => focus(open(command.optsWithGlobals() as Options), options));
};
