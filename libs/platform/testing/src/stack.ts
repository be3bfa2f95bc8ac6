import { readFileSync } from 'node:fs';

/** The engines that `npm run stack` starts. */
export type StackEngine = 'postgres' | 'kafka' | 'opensearch' | 'redis' | 's3' | 'mail' | 'embedder';

interface StackState {
  readonly keeper: { readonly port: number; readonly token: string };
  readonly variables: Readonly<Record<string, string>>;
}

type Describe = (name: string, body: () => void) => void;
/** What the test runner brings along. */
declare const describe: Describe & { readonly skip: Describe };

const leftOut = (): string[] => (process.env['ACERVO_STACK_WITHOUT'] ?? '').split(',');

/** Whether this program was started to run on real engines. */
export const onStack = (): boolean => process.env['ACERVO_STACK'] !== undefined;

const state = (): StackState => {
  const file = process.env['ACERVO_STACK'];
  if (file === undefined)
    throw new Error('These tests need real engines; "npm run stack -- test" starts them and runs the tests.');
  return JSON.parse(readFileSync(file, 'utf8')) as StackState;
};

/** The variables under which services find the engines of the running stack. @throws without one */
export const stackVariables = (): Readonly<Record<string, string>> => state().variables;

/** One of those variables. @throws when its engine does not run */
export const stackVariable = (name: string): string => {
  const value = stackVariables()[name];
  if (value === undefined) throw new Error(`The stack sets no ${name}; the engine behind it was not started.`);
  return value;
};

/**
 * Has an engine of the stack end as a power cut ends it (`lose`: emptied before that), or start again on its ports;
 * resolves when it is so.
 */
export const actOnEngine = async (
  engine: StackEngine,
  action: 'kill' | 'lose' | 'stop' | 'start' | 'restart',
): Promise<void> => {
  const { port, token } = state().keeper;
  const url = `http://127.0.0.1:${port}/${engine}/${action}`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization: token } });
  if (!answer.ok) throw new Error(`${engine} would not ${action}: ${await answer.text()}`);
};

/** A suite that needs engines: it fails where one is missing, and is left out only where that was asked for by name. */
export const describeOnStack = (name: string, needs: readonly StackEngine[], body: () => void): void =>
  needs.some((engine) => leftOut().includes(engine)) ? describe.skip(name, body) : describe(name, body);
