import type { CommandContext, Options } from './command';

/** Serves the Model Context Protocol to the program that started this one, over its standard streams. */
export const addMcp = ({ program, open, texts }: CommandContext): void => {
  program
    .command('mcp')
    .description(texts.mcp)
    .action(async (_options: Options, command) => {
      const profile = open(command.optsWithGlobals() as Options).profile();
      // The protocol takes longer to load than any other command takes to run.
      const { bridge } = await import('../mcp-bridge.js');
      await bridge(profile);
    });
};
