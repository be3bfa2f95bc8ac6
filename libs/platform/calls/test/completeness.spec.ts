import 'reflect-metadata';
import { call } from '@acervo/contracts';
import { Handles } from '../src';
import { Answer, asked, gatewayServer, greeted, Question, worked } from './support';

const foreign = call({
  code: 'test.foreign',
  owner: 'operations',
  effect: 'read',
  scope: 'anonymous',
  callers: ['chat'],
  input: Question,
  output: Answer,
});
const written = call({
  code: 'test.written',
  owner: 'operations',
  effect: 'write',
  scope: 'anonymous',
  callers: ['chat'],
  input: Question,
  output: Answer,
});

const answer = (): Promise<Answer> => Promise.resolve(Object.assign(new Answer(), { reply: 'yes' }));

class Two {
  @Handles(asked) first(): Promise<Answer> {
    return answer();
  }
  @Handles(worked) second(): Promise<Answer> {
    return answer();
  }
}
class Third {
  @Handles(greeted) third(): Promise<Answer> {
    return answer();
  }
  unrelated(): string {
    return 'nothing';
  }
}
class Foreign {
  @Handles(foreign) other(): Promise<Answer> {
    return answer();
  }
}

describe('a server of calls', () => {
  it('a server starts when each of its calls has one handler', () => {
    const server = gatewayServer(new Two(), new Third(), {});
    expect([asked, worked, greeted].map(({ code }) => server.callOf(code))).toEqual([asked, worked, greeted]);
  });
  it('a call without a handler prevents the start and is named', () => {
    expect(() => gatewayServer(new Two())).toThrow('gateway answers no test.greeted; add @Handles');
    expect(() => gatewayServer()).toThrow('test.asked, test.worked, test.greeted');
  });
  it('two handlers for one call prevent the start', () => {
    expect(() => gatewayServer(new Two(), new Third(), new Third())).toThrow(
      'test.greeted has two handlers in gateway.',
    );
  });
  it('a handler for a call of another service prevents the start', () => {
    expect(() => gatewayServer(new Two(), new Third(), new Foreign())).toThrow(
      'gateway handles test.foreign, which operations owns.',
    );
  });
  it('a server knows no call of another service', () => {
    expect(gatewayServer(new Two(), new Third()).callOf(written.code)).toBeUndefined();
  });
});
