import { type Lane, Turns } from './turns';

/** Lets `count` holders wait behind one who works, and answers who gets which turn. */
const orderOf = async (lanes: readonly Lane[], expected = lanes.length): Promise<string[]> => {
  const turns = new Turns<string>();
  const order: string[] = [];
  await turns.take('working', 'interactive');
  const served = lanes.map(async (lane, index) => {
    const name = `${lane[0]}${index}`;
    await turns.take(name, lane);
    order.push(name);
    turns.pass(name);
  });
  turns.pass('working');
  await Promise.all(served);
  expect(order).toHaveLength(expected);
  return order;
};

const many = (count: number, lane: Lane): Lane[] => Array.from({ length: count }, () => lane);

describe('a turn', () => {
  it('is given at once when nobody works', async () => {
    const turns = new Turns<string>();
    await turns.take('a', 'background');
    expect(turns.current).toBe('a');
  });
  it('is not waited for by the one who has it', async () => {
    const turns = new Turns<string>();
    await turns.take('a', 'interactive');
    await turns.take('a', 'interactive');
    turns.pass('a');
    expect(turns.current).toBeUndefined();
  });
  it('is passed on by its holder alone', async () => {
    const turns = new Turns<string>();
    await turns.take('a', 'interactive');
    turns.pass('b');
    expect(turns.current).toBe('a');
  });
  it('belongs to one at a time', async () => {
    const turns = new Turns<number>();
    let working = 0;
    let most = 0;
    await Promise.all(
      Array.from({ length: 100 }, async (_, index) => {
        await turns.take(index, index % 3 === 0 ? 'background' : 'interactive');
        working += 1;
        most = Math.max(most, working);
        await new Promise((resolve) => setImmediate(resolve));
        working -= 1;
        turns.pass(index);
      }),
    );
    expect(most).toBe(1);
    expect(turns.current).toBeUndefined();
  });
});

describe('the order of turns', () => {
  it('is that of arrival within a lane', async () => {
    expect(await orderOf(many(5, 'interactive'))).toEqual(['i0', 'i1', 'i2', 'i3', 'i4']);
    expect(await orderOf(many(3, 'background'))).toEqual(['b0', 'b1', 'b2']);
  });
  it('puts interactive work before background work that came earlier', async () => {
    expect(await orderOf(['background', 'background', 'interactive', 'interactive'])).toEqual(['i2', 'i3', 'b0', 'b1']);
  });
  it('gives every eighth turn to the background while interactive work never ends', async () => {
    const order = await orderOf([...many(3, 'background'), ...many(40, 'interactive')]);
    expect(order.flatMap((name, index) => (name.startsWith('b') ? [index] : []))).toEqual([7, 15, 23]);
  });
  it('lets the background finish when interactive work ends', async () => {
    const order = await orderOf([...many(10, 'background'), 'interactive']);
    expect(order[0]).toBe('i10');
    expect(order.slice(1)).toEqual(many(10, 'background').map((_, index) => `b${index}`));
  });
  it('puts couriers behind interactive work and before the background', async () => {
    expect(await orderOf(['background', 'courier', 'interactive', 'background', 'courier'])).toEqual([
      ...['i2', 'c1', 'c4'],
      ...['b0', 'b3'],
    ]);
  });
  it('gives every eighth turn to the background while couriers never end', async () => {
    const order = await orderOf([...many(2, 'background'), ...many(20, 'courier')]);
    expect(order.flatMap((name, index) => (name.startsWith('b') ? [index] : []))).toEqual([7, 15]);
  });
  it('gives every eighth turn to couriers while interactive work never ends', async () => {
    const order = await orderOf([...many(3, 'courier'), ...many(40, 'interactive')]);
    expect(order.flatMap((name, index) => (name.startsWith('c') ? [index] : []))).toEqual([7, 15, 23]);
  });
  it('gives those turns to couriers and to the background by turns when both wait', async () => {
    const order = await orderOf([...many(3, 'background'), ...many(3, 'courier'), ...many(40, 'interactive')]);
    expect(order.filter((name) => !name.startsWith('i')).map((name) => name[0])).toEqual([...'bcbcbc']);
  });
});
