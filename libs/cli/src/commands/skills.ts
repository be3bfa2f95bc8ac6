import type { Input, Output } from '@acervo/client';
import type { CommandSession } from '../command-session';
import { type CommandContext, integer, type Options, present } from './command';

const list = async (session: CommandSession): Promise<void> =>
  session.present(
    await session.client().listSkills(),
    ({ skills }) => skills,
    ({ skills }) =>
      session.table(
        ['CODE', 'TARGET', 'NAME'],
        skills.map(({ code, target, name }) => [code, target, name]),
      ),
  );

const show = async (session: CommandSession, skill_code: string): Promise<void> =>
  session.present(
    await session.client().getSkill({ skill_code }),
    (skill) => [skill],
    (skill) => session.fields(skill),
  );

const runText = (session: CommandSession, run: Output<'runSkill'>): string => session.fields(run);

const run = async (session: CommandSession, skill_code: string, options: Options): Promise<void> => {
  const { document: document_code, space: space_id, idempotencyKey } = options;
  const keyed = typeof idempotencyKey === 'string' ? { idempotencyKey } : {};
  const input = present({ skill_code, document_code, space_id }) as Input<'runSkill'>;
  session.present(
    await session.client().runSkill(input, keyed),
    (queued) => [queued],
    (queued) => runText(session, queued),
  );
};

/** What the product finds in documents on request. */
export const addSkills = ({ program, open, texts }: CommandContext): void => {
  const skills = program.command('skills').description(texts.skills);
  const session = (command: { optsWithGlobals(): object }): CommandSession =>
    open(command.optsWithGlobals() as Options);
  skills
    .command('list', { isDefault: true })
    .description(texts.skillsList)
    .action((_options, command) => list(session(command)));
  skills
    .command('show <code>')
    .description(texts.skillsShow)
    .action((code: string, _options, command) => show(session(command), code));
  skills
    .command('run <code>')
    .description(texts.skillsRun)
    .option('--document <code>')
    .option('--space <id>', '', integer)
    .option('--idempotency-key <key>')
    .action((code: string, options: Options, command) => run(session(command), code, options));
};
