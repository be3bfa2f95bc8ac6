import type { Input, Output } from '@acervo/client';
import type { CommandSession } from '../command-session';
import { type CommandContext, integer, type Options, present } from './command';

type Space = Output<'getSpace'>['space'];

const HEADS = ['ID', 'TYPE', 'DOCUMENTS', 'NAME'];
const rowOf = ({ space_id, type, document_count, name }: Space): unknown[] => [space_id, type, document_count, name];

const presentSpace = (session: CommandSession, space: Space): void =>
  session.present(
    space,
    (each) => [each],
    (each) => session.table(HEADS, [rowOf(each)]),
  );

const list = async (session: CommandSession, { limit }: Options): Promise<void> =>
  session.present(
    await session.client().listSpaces(present({ limit: limit as number | undefined })),
    ({ spaces }) => spaces,
    ({ spaces }) => session.table(HEADS, spaces.map(rowOf)),
  );

const show = async (session: CommandSession, space_id: number, { limit }: Options): Promise<void> =>
  session.present(
    await session.client().getSpace(present({ space_id, document_limit: limit as number | undefined })),
    ({ documents }) => documents,
    ({ space, documents }) =>
      [
        session.table(HEADS, [rowOf(space)]),
        session.table(
          ['CODE', 'NAME', 'LOCATION'],
          documents.map(({ code, name, location }) => [code, name, location]),
        ),
      ].join('\n'),
  );

const read = async (session: CommandSession, space_id: number, { resolution, query, limit }: Options): Promise<void> =>
  session.present(
    await session.client().readSpace(present({ space_id, resolution, query, limit }) as Input<'readSpace'>),
    ({ items }) => items,
    ({ items, total }) =>
      items.length === 0
        ? `${total}\n`
        : session.table(
            ['CODE', 'NAME', 'TEXT'],
            items.map(({ code, name, text, summary }) => [code, name, text ?? summary]),
          ),
  );

/** Sets of documents. */
export const addSpaces = ({ program, open, texts, optionTexts }: CommandContext): void => {
  const spaces = program.command('spaces').description(texts.spaces);
  const session = (command: { optsWithGlobals(): object }): CommandSession =>
    open(command.optsWithGlobals() as Options);
  spaces
    .command('list', { isDefault: true })
    .description(texts.spacesList)
    .option('--limit <n>', '', integer)
    .action((options: Options, command) => list(session(command), options));
  spaces
    .command('show <id>')
    .description(texts.spacesShow)
    .option('--limit <n>', '', integer)
    .action((id: string, options: Options, command) => show(session(command), integer(id), options));
  spaces
    .command('read <id>')
    .description(texts.spacesRead)
    .option('--resolution <resolution>')
    .option('--query <text>')
    .option('--limit <n>', '', integer)
    .action((id: string, options: Options, command) => read(session(command), integer(id), options));
  spaces
    .command('refresh <id>')
    .description(texts.spacesRefresh)
    .action(async (id: string, _options, command) => {
      const opened = session(command);
      presentSpace(opened, await opened.client().refreshSpace({ space_id: integer(id) }));
    });
  spaces
    .command('promote <id>')
    .description(texts.spacesPromote)
    .action(async (id: string, _options, command) => {
      const opened = session(command);
      presentSpace(opened, await opened.client().promoteSpace({ space_id: integer(id) }));
    });
  spaces
    .command('compose <operation> <a> <b>')
    .description(texts.spacesCompose)
    .option('--name <name>')
    .option('--type <type>', optionTexts.composedType)
    .action(async (operation: string, a: string, b: string, { name, type }: Options, command) => {
      const opened = session(command);
      const fields = { operation, space_id_a: integer(a), space_id_b: integer(b), name, space_type: type };
      presentSpace(opened, await opened.client().composeSpaces(present(fields) as Input<'composeSpaces'>));
    });
};
