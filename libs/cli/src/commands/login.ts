import { AcervoClient } from '@acervo/client';
import { exitCodes } from '../exit-codes';
import { CommandFailure } from '../failures';
import { fill } from '../messages';
import { DEFAULT_URL, type CommandSession } from '../command-session';
import type { CommandContext, Options } from './command';

const keyOf = async ({ terminal, messages }: CommandSession): Promise<string> => {
  const { environment, isInteractive } = terminal;
  const typed = isInteractive ? await terminal.askSecret(messages.askKey) : await terminal.readInput();
  const key = (typed.trim() === '' ? (environment['ACERVO_KEY'] ?? '') : typed).trim();
  if (key === '') throw new CommandFailure(exitCodes.usage, messages.emptyKey, messages.noKeyNext);
  return key;
};

/** Stores a key once the service accepted it. */
const login = async (session: CommandSession): Promise<void> => {
  const { terminal, messages, options, profiles, profileName = 'default' } = session;
  const url = options.url ?? terminal.environment['ACERVO_URL'] ?? profiles.find(profileName)?.url ?? DEFAULT_URL;
  const key = await keyOf(session);
  const caller = await new AcervoClient({ baseUrl: url, key }).getSession();
  profiles.store(profileName, { url, key });
  const values = { user: caller.user_code, group: caller.group_code, profile: profileName };
  session.present(
    { ...caller, stored_as: profileName, url },
    (answer) => [answer],
    () => `${fill(messages.loggedIn, values)}\n`,
  );
};

export const addLogin = ({ program, open, texts }: CommandContext): void => {
  program
    .command('login')
    .description(texts.login)
    .action((_options, command) => login(open(command.optsWithGlobals() as Options)));
};
