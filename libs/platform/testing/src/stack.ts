import { readFileSync } from 'node:fs';
import { request } from 'node:https';
import { text } from 'node:stream/consumers';

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

/** The variables that tell a service how to reach an engine, e.g. `ACERVO_KAFKA_`. @throws without that engine */
export const stackVariablesOf = (prefix: string): Readonly<Record<string, string>> => {
  const found = Object.entries(stackVariables()).filter(([name]) => name.startsWith(prefix));
  if (found.length === 0) throw new Error(`The stack sets no ${prefix}*; the engine behind it was not started.`);
  return Object.fromEntries(found);
};

/** The answer of the OpenSearch of the stack to a request, as its operator. @throws for a status other than 2xx */
export const askOpenSearch = (
  path: string,
  method: 'GET' | 'POST' | 'PUT' | 'DELETE' = 'GET',
  body?: object,
): Promise<unknown> =>
  new Promise((resolve, reject) => {
    const [user, password] = ['USER', 'PASSWORD'].map((name) => stackVariable(`ACERVO_OPENSEARCH_${name}`));
    const sent = request(`${stackVariable('ACERVO_OPENSEARCH_URL')}/${path}`, {
      method,
      auth: `${user}:${password}`,
      ca: readFileSync(stackVariable('ACERVO_OPENSEARCH_CA')),
      headers: { 'content-type': 'application/json' },
    });
    sent.once('error', reject);
    sent.once('response', (answer) => {
      text(answer).then((content) => {
        const status = answer.statusCode ?? 0;
        if (status >= 200 && status < 300) resolve(JSON.parse(content));
        else reject(new Error(`OpenSearch answered ${status}: ${content}`));
      }, reject);
    });
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });

/**
 * Kills an engine of the stack as a power cut does (`lose`: emptied before), or starts it again on its ports. `freeze`
 * suspends it, so that it accepts connections and answers nothing, until `thaw`. Resolves when it is done.
 */
export const actOnEngine = async (
  engine: StackEngine,
  action: 'kill' | 'lose' | 'stop' | 'start' | 'restart' | 'freeze' | 'thaw',
): Promise<void> => {
  const { port, token } = state().keeper;
  const url = `http://127.0.0.1:${port}/${engine}/${action}`;
  const answer = await fetch(url, { method: 'POST', headers: { authorization: token } });
  if (!answer.ok) throw new Error(`${engine} would not ${action}: ${await answer.text()}`);
};

/** A suite that needs engines: it fails where one is missing, and is skipped only where that is requested by name. */
export const describeOnStack = (name: string, needs: readonly StackEngine[], body: () => void): void =>
  needs.some((engine) => leftOut().includes(engine)) ? describe.skip(name, body) : describe(name, body);
