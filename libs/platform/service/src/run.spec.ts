import 'reflect-metadata';
import { orStop } from './run';

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
