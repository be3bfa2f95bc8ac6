import { readFileSync } from 'node:fs';

/** The engines that `npm run stack` starts. */
export type StackEngine = 'postgres' | 'kafka' | 'opensearch' | 'redis' | 's3' | 'mail' | 'embedder';

interface StackState {
  readonly keeper: { readonly port: number; readonly token: string };
  readonly variables: Readonly<Record<string, string>>;
}

type Describe = (name: string, body: () => void) => void;
/** Globals of the test runner. */
declare const describe: Describe & { readonly skip: Describe };

const leftOut = (): string[] => (process.env['ACERVO_STACK_WITHOUT'] ?? '').split(',');

/** Whether this test run uses real engines. */
export const onStack = (): boolean => process.env['ACERVO_STACK'] !== undefined;

const state = (): StackState => {
  const file = process.env['ACERVO_STACK'];
  if (file === undefined)
    throw new Error('These tests need real engines; "npm run stack -- test" starts them and runs the tests.');
  return JSON.parse(readFileSync(file, 'utf8')) as StackState;
};

/** The environment variables of services for the running stack. @throws without a stack */
export const stackVariables = (): Readonly<Record<string, string>> => state().variables;

/** One of these variables. @throws when its engine does not run */
export const stackVariable = (name: string): string => {
  const value = stackVariables()[name];
  if (value === undefined) throw new Error(`The stack sets no ${name}; the engine behind it was not started.`);
  return value;
};

/**
 * Kills an engine of the stack as a power cut does (`lose`: emptied before), or starts it again on its ports; resolves
 * when it is done.
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

/** A suite that needs engines: it fails where one is missing, and is skipped only where that is requested by name. */
export const describeOnStack = (name: string, needs: readonly StackEngine[], body: () => void): void =>
  needs.some((engine) => leftOut().includes(engine)) ? describe.skip(name, body) : describe(name, body);
