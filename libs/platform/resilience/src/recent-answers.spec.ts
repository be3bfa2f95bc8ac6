import { RecentAnswers } from './recent-answers';

describe('recent answers', () => {
  const asked: string[] = [];
  const ask = (answers: RecentAnswers<string>, key: string): Promise<string> =>
    answers.get(key, () => {
      asked.push(key);
      return Promise.resolve(`${key}${asked.length}`);
    });
  beforeEach(() => {
    jest.useFakeTimers();
    asked.length = 0;
  });
  afterEach(() => jest.useRealTimers());

  it('a key is asked again only after its time', async () => {
    const answers = new RecentAnswers<string>(1_000, 10);
    expect(await Promise.all([ask(answers, 'a'), ask(answers, 'a')])).toEqual(['a1', 'a1']);
    jest.advanceTimersByTime(999);
    expect([await ask(answers, 'a'), await ask(answers, 'b')]).toEqual(['a1', 'b2']);
    jest.advanceTimersByTime(1);
    expect([await ask(answers, 'a'), await ask(answers, 'b')]).toEqual(['a3', 'b2']);
  });

  it('a key has an answer until its time is over', async () => {
    const answers = new RecentAnswers<string>(1_000, 10);
    expect(answers.has('a')).toBe(false);
    await ask(answers, 'a');
    jest.advanceTimersByTime(999);
    expect([answers.has('a'), answers.has('b')]).toEqual([true, false]);
    jest.advanceTimersByTime(1);
    expect(answers.has('a')).toBe(false);
  });

  it('beyond the most keys the oldest is forgotten', async () => {
    const answers = new RecentAnswers<string>(1_000, 2);
    for (const key of ['a', 'b', 'c', 'b', 'a']) await ask(answers, key);
    expect(asked).toEqual(['a', 'b', 'c', 'a']);
  });

  it('a failure is asked again', async () => {
    const answers = new RecentAnswers<string>(1_000, 2);
    await expect(answers.get('a', () => Promise.reject(new Error('down')))).rejects.toThrow('down');
    expect(await ask(answers, 'a')).toBe('a1');
  });
});
