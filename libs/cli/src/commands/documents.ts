import { type Input, type Original, originalOf, type Output } from '@acervo/client';
import { exitCodes } from '../exit-codes';
import { CommandFailure } from '../failures';
import { fill } from '../messages';
import type { CommandSession } from '../command-session';
import { cut, marked, safe } from '../text';
import { collect, type CommandContext, integer, type Options, present } from './command';

type Found = Output<'searchDocuments'>['documents'][number];
type Item = Output<'listDocuments'>['documents'][number];

const LONGEST_PASSAGE = 240;

const foundText = (session: CommandSession, query: string, found: Found): string => {
  const { style } = session;
  const { name, code, location, url, chunks } = found;
  const head = `${style.bold(style.link(safe(name), url))}  ${style.dim(`${code}  ${safe(location)}`)}`;
  const passages = chunks.map(({ text, page }) => {
    const passage = marked(cut(safe(text), LONGEST_PASSAGE), query, style);
    return `  ${page === null ? '' : style.dim(`p. ${page}  `)}${passage}`;
  });
  return [head, ...passages, ''].join('\n');
};

const search = async (session: CommandSession, words: readonly string[], options: Options): Promise<void> => {
  const query = words.join(' ');
  const filter = present({
    document_types: options['type'] as string[] | undefined,
    attributes: options['attribute'] as string[] | undefined,
    characteristics: options['characteristic'] as string[] | undefined,
  });
  const input = present({
    query,
    limit: options['limit'],
    min_similarity: options['minSimilarity'],
    entity_code: options['entity'],
    location_code: options['location'],
    space_id: options['space'],
    ...(Object.keys(filter).length === 0 ? {} : { filter }),
  }) as Input<'searchDocuments'>;
  const answer = await session.client().searchDocuments(input);
  session.present(
    answer,
    ({ documents }) => documents,
    ({ documents }) =>
      documents.length === 0
        ? `${session.messages.nothingFound}\n`
        : documents.map((found) => foundText(session, query, found)).join('\n'),
  );
};

const itemsTable = (session: CommandSession, documents: readonly Item[]): string =>
  session.table(
    ['CODE', 'STATUS', 'NAME', 'LOCATION'],
    documents.map(({ code, status, name, location }) => [code, status, name, location]),
  );

const listAll = async (session: CommandSession, input: Input<'listDocuments'>): Promise<Output<'listDocuments'>> => {
  const documents: Item[] = [];
  for await (const item of session.client().documents(input)) documents.push(item);
  return { documents, total: documents.length, page: 1, limit: documents.length };
};

const list = async (session: CommandSession, options: Options): Promise<void> => {
  const { status, location, limit, page, all } = options;
  const input = present({ status, location_code: location, limit, page }) as Input<'listDocuments'>;
  const answer = all === true ? await listAll(session, input) : await session.client().listDocuments(input);
  session.present(
    answer,
    ({ documents }) => documents,
    ({ documents, total }) =>
      itemsTable(session, documents) +
      (documents.length < total ? `${fill(session.messages.more, { count: documents.length, total })}\n` : ''),
  );
};

/** Codes of the command line; a dash stands for those of the standard input. */
const codesOf = async ({ terminal }: CommandSession, codes: readonly string[]): Promise<readonly string[]> =>
  codes.includes('-') ? (await terminal.readInput()).split(/\s+/).filter((code) => code !== '') : codes;

const show = async (session: CommandSession, codes: readonly string[]): Promise<void> => {
  const client = session.client();
  for (const document_code of await codesOf(session, codes))
    session.present(
      await client.getDocument({ document_code }),
      (document) => [document],
      ({ fs: _fs, ...document }) => `${session.fields(document)}\n`,
    );
};

/** Where an original can be opened. @throws CommandFailure where it cannot */
const targetOf = (original: Original, messages: CommandSession['messages']): string => {
  if (original.kind === 'file') return original.path;
  if (original.kind === 'unknown') {
    const { noOriginal, noOriginalNext, noVariableNext } = messages;
    const { variable } = original;
    const next = variable === null ? noVariableNext : fill(noOriginalNext, { variable });
    throw new CommandFailure(exitCodes.noOriginal, noOriginal, next);
  }
  if (original.url === null) throw new CommandFailure(exitCodes.noOriginal, messages.cloudOriginal);
  if (!/^https?:\/\//i.test(original.url)) throw new CommandFailure(exitCodes.noOriginal, messages.badAddress);
  return original.url;
};

const openOriginal = async (session: CommandSession, document_code: string, isPrinted: boolean): Promise<void> => {
  const { fs } = await session.client().getDocument({ document_code });
  const original = originalOf(fs, session.terminal.environment);
  const target = targetOf(original, session.messages);
  if (!isPrinted && !session.isForPrograms) await session.terminal.open(target);
  session.present(
    { ...original, target },
    (answer) => [answer],
    () => `${target}\n`,
  );
};

const edges = async (
  session: CommandSession,
  document_code: string,
  neighbor_limit: number | undefined,
): Promise<void> => {
  const answer = await session.client().getDocumentEdges(present({ document_code, neighbor_limit }));
  const steps = (path: readonly { readonly name: string }[]): string => path.map(({ name }) => name).join(' / ');
  session.present(
    answer,
    ({ neighbors_two_hops }) => neighbors_two_hops,
    ({ document, type_path, location_path, features, neighbors_two_hops }) =>
      [
        session.fields({
          ...{ document: `${document.code} ${document.name}`, location: steps(location_path), type: steps(type_path) },
          features: features.map(({ code }) => code).join(', '),
        }),
        session.table(
          ['CODE', 'NAME', 'LOCATION'],
          neighbors_two_hops.map(({ code, name, location }) => [code, name, location]),
        ),
      ].join('\n'),
  );
};

const addSearch = ({ program, open, texts }: CommandContext): void => {
  program
    .command('search <query...>')
    .description(texts.search)
    .option('--limit <n>', '', integer)
    .option('--min-similarity <n>', '', Number)
    .option('--entity <code>')
    .option('--location <code>')
    .option('--space <id>', '', integer)
    .option('--type <code>', '', collect)
    .option('--attribute <code>', '', collect)
    .option('--characteristic <code>', '', collect)
    .action((query: string[], options: Options, command) =>
      search(open(command.optsWithGlobals() as Options), query, options),
    );
};

/** Search, lists and details of documents. */
export const addDocuments = (context: CommandContext): void => {
  const { program, open, texts } = context;
  addSearch(context);
  program
    .command('documents')
    .description(texts.documents)
    .option('--status <status>')
    .option('--location <code>')
    .option('--limit <n>', '', integer)
    .option('--page <n>', '', integer)
    .option('--all')
    .action((options: Options, command) => list(open(command.optsWithGlobals() as Options), options));
  program
    .command('show <code...>')
    .description(texts.show)
    .action((codes: string[], _options, command) => show(open(command.optsWithGlobals() as Options), codes));
  program
    .command('open <code>')
    .description(texts.open)
    .option('--print')
    .action((code: string, options: Options, command) =>
      openOriginal(open(command.optsWithGlobals() as Options), code, options['print'] === true),
    );
  program
    .command('edges <code>')
    .description(texts.edges)
    .option('--limit <n>', '', integer)
    .action((code: string, options: Options, command) =>
      edges(open(command.optsWithGlobals() as Options), code, options['limit'] as number | undefined),
    );
};
