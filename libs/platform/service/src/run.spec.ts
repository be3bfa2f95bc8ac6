import 'reflect-metadata';
import { orStop } from './run';

describe('a program whose work can never be done', () => {
  it('ends in order before it says so', async () => {
    const told: string[] = [];
    const stopped = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 10));
      told.push('stopped');
    };
    const program = orStop(Promise.reject(new Error('no topic fits')), stopped).catch((error: unknown) => {
      told.push(String(error));
    });
    await program;
    expect(told).toEqual(['stopped', 'Error: no topic fits']);
  });
  it('says why it ends where it cannot end in order', async () => {
    const program = orStop(Promise.reject(new Error('no topic fits')), () => Promise.reject(new Error('stuck')));
    await expect(program).rejects.toThrow('no topic fits');
  });
  it('goes on as long as it can be done', async () => {
    const stopped = jest.fn<Promise<void>, []>();
    await orStop(Promise.resolve(), stopped);
    expect(stopped).not.toHaveBeenCalled();
  });
});
