import { QuietLooks } from './quiet-looks';

describe('looks for what work leaves behind', () => {
  const lookAt = (looks: QuietLooks, done: readonly number[]): boolean[] => done.map((each) => looks.isDue(each));

  it('are due at once after some work', () => {
    expect(lookAt(new QuietLooks(100, 5), [99, 100, 150, 250])).toEqual([false, true, false, true]);
  });

  it('are due after a while where little was done', () => {
    expect(lookAt(new QuietLooks(100, 3), [1, 2, 3, 4, 5, 6])).toEqual([false, false, true, false, false, true]);
  });

  it('are never due where nothing was done', () => {
    expect(lookAt(new QuietLooks(100, 2), [0, 0, 0, 0])).toEqual([false, false, false, false]);
  });
});
