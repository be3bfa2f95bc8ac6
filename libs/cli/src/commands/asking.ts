import type { Input, Output } from '@acervo/client';
import type { CommandSession } from '../command-session';
import { fill } from '../messages';
import { safe } from '../text';
import { type CommandContext, integer, type Options, present } from './command';

type Answer = Output<'ask'>;
type Conversation = Output<'listConversations'>['conversations'][number];

/** The lines of an answer, each without what a terminal would obey, and how to continue. */
const answerText = ({ messages, style }: CommandSession, { answer, conversation_id: id }: Answer): string => {
  const lines = answer.split('\n').map(safe).join('\n');
  return `${lines}\n\n${style.dim(fill(messages.continueConversation, { id }))}\n`;
};

const ask = async (session: CommandSession, words: readonly string[], options: Options): Promise<void> => {
  const input = present({
    question: words.join(' '),
    conversation_id: options['conversation'],
    function_code: options['function'],
    location_code: options['location'],
    mode: options['mode'],
  }) as Input<'ask'>;
  const sending = present({ idempotencyKey: options['idempotencyKey'] as string | undefined });
  session.present(
    await session.client().ask(input, sending),
    (answer) => [answer],
    (answer) => answerText(session, answer),
  );
};

const rowOf = ({ conversation_id, message_count, updated_at, title }: Conversation): unknown[] => [
  conversation_id,
  message_count,
  updated_at,
  title,
];

const list = async (session: CommandSession, options: Options): Promise<void> =>
  session.present(
    await session.client().listConversations(
      present({
        function_code: options['function'] as string | undefined,
        limit: options['limit'] as number | undefined,
      }),
    ),
    ({ conversations }) => conversations,
    ({ conversations, total }) =>
      session.table(['ID', 'MESSAGES', 'UPDATED', 'TITLE'], conversations.map(rowOf)) +
      (conversations.length < total ? `${fill(session.messages.more, { count: conversations.length, total })}\n` : ''),
  );

const remove = async (session: CommandSession, conversation_id: number): Promise<void> =>
  session.present(
    await session.client().deleteConversation({ conversation_id }),
    (deleted) => [deleted],
    () => `${fill(session.messages.conversationDeleted, { id: conversation_id })}\n`,
  );

const addAsk = ({ program, open, texts }: CommandContext): void => {
  program
    .command('ask <question...>')
    .description(texts.ask)
    .option('--location <code>')
    .option('--conversation <id>', '', integer)
    .option('--function <code>')
    .option('--mode <mode>')
    .option('--idempotency-key <key>')
    .action((question: string[], options: Options, command) =>
      ask(open(command.optsWithGlobals() as Options), question, options),
    );
};

/** Questions to the documents, and the conversations that they belong to. */
export const addAsking = (context: CommandContext): void => {
  addAsk(context);
  const { program, open, texts } = context;
  const conversations = program.command('conversations').description(texts.conversations);
  conversations
    .command('list', { isDefault: true })
    .description(texts.conversationsList)
    .option('--function <code>')
    .option('--limit <n>', '', integer)
    .action((options: Options, command) => list(open(command.optsWithGlobals() as Options), options));
  conversations
    .command('delete <id>')
    .description(texts.conversationsDelete)
    .action((id: string, _options, command) => remove(open(command.optsWithGlobals() as Options), integer(id)));
};
