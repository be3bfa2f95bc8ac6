import type { Output } from '@acervo/client';
import { exitCodes } from '../exit-codes';
import { CommandFailure } from '../failures';
import { flagOf, inputOfFlags, type InputSchema, typeNameOf } from '../operation-flags';
import type { CommandSession } from '../command-session';
import { type CommandContext, type Options, present } from './command';

type Outcome = Output<'executeOperation'>;

const list = async (session: CommandSession): Promise<void> =>
  session.present(
    await session.client().listOperations(),
    ({ operations }) => operations,
    ({ operations }) =>
      session.table(
        ['OPERATION', 'KIND', 'SCREENS'],
        operations.map(({ code, kind, functions }) => [code, kind, functions.join(' ')]),
      ),
  );

const describe = async (session: CommandSession, code: string): Promise<void> =>
  session.present(
    await session.client().getOperation({ code }),
    (operation) => [operation],
    ({ kind, input_schema }) => {
      const {
        properties = {},
        required = [],
        description = '',
      } = input_schema as InputSchema & { description?: string };
      return [
        session.fields({ operation: code, kind, description }),
        session.table(
          ['FLAG', 'TYPE', 'REQUIRED', 'DESCRIPTION'],
          Object.entries(properties).map(([name, field]) => [
            flagOf(name),
            typeNameOf(field),
            required.includes(name) ? '*' : '',
            field.description,
          ]),
        ),
      ].join('\n');
    },
  );

/** The JSON object of `--input`; a dash stands for the standard input. @throws CommandFailure */
const jsonInput = async ({ terminal, messages }: CommandSession, text: string): Promise<Record<string, unknown>> => {
  const bad = new CommandFailure(exitCodes.usage, messages.badJson);
  let value: unknown;
  try {
    value = JSON.parse(text === '-' ? await terminal.readInput() : text);
  } catch {
    throw bad;
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw bad;
  return value as Record<string, unknown>;
};

const tokenOf = ({ preview }: Outcome): { readonly preview_token?: string } => {
  const token = preview?.['preview_token'];
  return typeof token === 'string' ? { preview_token: token } : {};
};

const effectText = (session: CommandSession, { preview = {} }: Outcome): string => {
  const effect = (preview['effect'] ?? {}) as Readonly<Record<string, unknown>>;
  const rows = Object.entries({ ...(preview['input'] as object | undefined), ...effect });
  return `${session.messages.preview}\n${session.table(
    ['WHAT', 'VALUE'],
    rows.map(([name, value]) => [name, typeof value === 'object' ? JSON.stringify(value) : value]),
  )}`;
};

/** Whether a person agreed to what the preview shows. */
const agrees = async (session: CommandSession, outcome: Outcome): Promise<boolean> => {
  const { terminal, messages } = session;
  if (session.isForPrograms)
    session.present(
      outcome,
      (each) => [each],
      () => '',
    );
  else terminal.print(effectText(session, outcome));
  if (!terminal.isInteractive || session.isForPrograms) return false;
  return messages.yes.includes((await terminal.ask(messages.confirmQuestion)).trim().toLowerCase());
};

const resultText = (session: CommandSession, { result = {} }: Outcome): string => {
  const entries = Object.entries(result);
  const [rows] = entries.filter(([, value]) => Array.isArray(value)).map(([, value]) => value as readonly object[]);
  if (rows === undefined || rows.length === 0 || typeof rows[0] !== 'object') return session.fields(result);
  const heads = Object.keys(rows[0]);
  const cell = (value: unknown): unknown =>
    typeof value === 'object' && value !== null ? JSON.stringify(value) : value;
  return session.table(
    heads.map((head) => head.toUpperCase()),
    rows.map((row) => heads.map((head) => cell((row as Record<string, unknown>)[head]))),
  );
};

const run = async (session: CommandSession, code: string, args: readonly string[], options: Options): Promise<void> => {
  const client = session.client();
  const { input_schema } = await client.getOperation({ code });
  const fromJson = typeof options['input'] === 'string' ? await jsonInput(session, options['input']) : {};
  const input = { ...fromJson, ...inputOfFlags(args, input_schema as InputSchema, session.messages) };
  const sending = present({ idempotencyKey: options['idempotencyKey'] as string | undefined });
  let outcome = await client.executeOperation({ code, input }, sending);
  if (!outcome.executed) {
    const isConfirmed = options['yes'] === true || (await agrees(session, outcome));
    const { notConfirmed, notConfirmedNext } = session.messages;
    if (!isConfirmed) throw new CommandFailure(exitCodes.notConfirmed, notConfirmed, notConfirmedNext);
    outcome = await client.executeOperation({ code, input, confirm: true, ...tokenOf(outcome) }, sending);
  }
  session.present(
    outcome,
    (each) => [each],
    (each) => resultText(session, each),
  );
};

/** The generic executor. */
export const addOperations = ({ program, open, texts }: CommandContext): void => {
  const operations = program.command('operations').description(texts.operations);
  operations
    .command('list', { isDefault: true })
    .description(texts.operationsList)
    .action((_options, command) => list(open(command.optsWithGlobals() as Options)));
  operations
    .command('describe <code>')
    .description(texts.operationsDescribe)
    .action((code: string, _options, command) => describe(open(command.optsWithGlobals() as Options), code));
  operations
    .command('run <code> [flags...]')
    .description(texts.operationsRun)
    .option('--input <json>')
    .option('--idempotency-key <key>')
    .option('--yes')
    .allowUnknownOption()
    .action((code: string, flags: string[], options: Options, command) =>
      run(open(command.optsWithGlobals() as Options), code, flags, options),
    );
};
