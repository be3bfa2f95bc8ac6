import { assertProgramEnvironment, type Environment, InvalidConfiguration, Setting } from './index';
import { distance } from './unknown-variables';

class Sample {
  @Setting({ env: 'ACERVO_EVENTS', default: 'embedded', explicit: 'kafka', description: 'Carrier of events' })
  readonly events!: string;
  @Setting({ env: 'ACERVO_PORT', default: 8080, description: 'Public port' }) readonly port!: number;
  @Setting({ env: 'ACERVO_NEW_SECRET', default: '', secret: true, description: 'A secret' }) readonly secret!: string;
}

const problemsOf = (environment: Environment): readonly string[] => {
  try {
    assertProgramEnvironment([Sample], environment);
    return [];
  } catch (error) {
    if (!(error instanceof InvalidConfiguration)) throw error;
    return error.problems;
  }
};
const CHOSEN = { ACERVO_EVENTS: 'kafka' };

describe('the environment of a program', () => {
  it('an engine that is not chosen explicitly is named with an example', () => {
    for (const environment of [{}, { ACERVO_EVENTS: '' }] as Record<string, string>[])
      expect(problemsOf(environment)).toEqual([expect.stringContaining('ACERVO_EVENTS=kafka')]);
    expect(problemsOf({ ACERVO_EVENTS: 'embedded' })).toEqual([]);
  });
  it('a misspelt variable is refused with the nearest name, without its value', () => {
    expect(problemsOf({ ...CHOSEN, ACERVO_KAFKA_BROKER: 'hunter2' })).toEqual([
      'ACERVO_KAFKA_BROKER is no setting; the nearest one is ACERVO_KAFKA_BROKERS.',
    ]);
    expect(problemsOf({ ...CHOSEN, ACERVO_LOGLEVEL: 'x' })[0]).toContain('ACERVO_LOG_LEVEL.');
  });
  it('every problem is reported at once', () => {
    expect(problemsOf({ ACERVO_PORT: 'many', ACERVO_HOTS: 'x' })).toHaveLength(3);
  });
  it.each([
    ['a setting of another program', 'ACERVO_OPENSEARCH_URL'],
    ['the file of a secret', 'ACERVO_KAFKA_PASSWORD_FILE'],
    ['the file of a secret of this program', 'ACERVO_NEW_SECRET_FILE'],
    ['a variable of a tool', 'ACERVO_POSTGRES_PORT'],
    ['a home of a client', 'ACERVO_HOME_L1'],
    ['a variable of another product', 'PATH'],
  ])('%s is known: %s', (_, name) => {
    expect(problemsOf({ ...CHOSEN, [name]: __filename })).toEqual([]);
  });
  it('an unknown variable without a value counts as absent', () => {
    expect(problemsOf({ ...CHOSEN, ACERVO_NONSENSE: '' })).toEqual([]);
  });
  it.each(['ACERVO_GATEWAY_PORT', 'ACERVO_PORT'])('service links are explained: %s', (name) => {
    const links = {
      [name]: 'tcp://10.0.0.1:8080',
      ...{ ACERVO_GATEWAY_SERVICE_HOST: '10.0.0.1', ACERVO_GATEWAY_SERVICE_PORT: '8080' },
      ...{ ACERVO_GATEWAY_SERVICE_PORT_HTTP: '8080', ACERVO_GATEWAY_PORT_8080_TCP: 'tcp://10.0.0.1:8080' },
      ...{ ACERVO_GATEWAY_PORT_8080_TCP_ADDR: '10.0.0.1', ACERVO_GATEWAY_PORT_8080_TCP_PROTO: 'tcp' },
    };
    const problems = problemsOf({ ...CHOSEN, ...links });
    expect(problems.at(-1)).toMatch(/ and 6 more are service links .* enableServiceLinks: false/);
    expect(problems.filter((problem) => problem.includes('no setting'))).toEqual([]);
  });
});

describe('the distance of two names', () => {
  it.each([
    ['', '', 0],
    ['abc', '', 3],
    ['kitten', 'sitting', 3],
    ['flaw', 'lawn', 2],
  ])('%p and %p differ by their edits: %d', (one, other, edits) => {
    expect([distance(one, other), distance(other, one)]).toEqual([edits, edits]);
  });
});
