import 'reflect-metadata';
import { InvalidConfiguration } from '@acervo/platform-config';
import { ObjectStoreConfig } from '../settings/object-store-config';
import { orStop, runService } from './run';

describe('a program whose work can never be done', () => {
  it('a program whose work cannot be done stops, then fails', async () => {
    const messages: string[] = [];
    const stopped = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      messages.push('stopped');
    };
    const program = orStop(Promise.reject(new Error('no topic fits')), stopped).catch((error: unknown) => {
      messages.push(String(error));
    });
    await program;
    expect(messages).toEqual(['stopped', 'Error: no topic fits']);
  });
  it('a failed stop still reports the original reason', async () => {
    const program = orStop(Promise.reject(new Error('no topic fits')), () => Promise.reject(new Error('stuck')));
    await expect(program).rejects.toThrow('no topic fits');
  });
  it('a program continues while its work can be done', async () => {
    const stopped = jest.fn<Promise<void>, []>();
    await orStop(Promise.resolve(), stopped);
    expect(stopped).not.toHaveBeenCalled();
  });
});

describe('a program on a server', () => {
  class NeverBooted {}
  const program = { service: { name: 'operations', config: [ObjectStoreConfig] }, module: NeverBooted } as const;
  const mask = process.umask();
  afterEach(() => void process.umask(mask));

  it('a program without explicit engines refuses to start and names them all', async () => {
    const started = runService(program, { ACERVO_EVENT: 'kafka' }, [], new AbortController().signal);
    await expect(started).rejects.toThrow(InvalidConfiguration);
    await expect(started).rejects.toThrow(
      /ACERVO_EVENTS=kafka[\s\S]*ACERVO_OBJECT_STORE=s3[\s\S]*ACERVO_EVENT is no setting; the nearest one is ACERVO_EVENTS/,
    );
  });
});
