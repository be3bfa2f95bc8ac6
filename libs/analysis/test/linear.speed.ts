import { chunk, plainText, tokenize } from '../src';

const ROUNDS = 3;

/** The processor time of some work, in milliseconds: the least of three rounds. */
const cpuMs = (work: () => unknown): number => {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const started = process.cpuUsage();
    work();
    const { user, system } = process.cpuUsage(started);
    return (user + system) / 1_000;
  });
  return Math.min(...rounds);
};

const headingsAndTables = (count: number): unknown => {
  const block = '# a\n\n| a | b |\n|--|--|\n| 1 | 2 |\n\n';
  const places = Array.from({ length: count }, (_, index) => index * block.length);
  const headings = places.map((start) => ({ start, end: start + 3, level: 1, title: 'a' }));
  const tables = places.map((at) => ({
    ...{ title: null, start: at + 5, end: at + 32 },
    ...{ header: { start: at + 5, end: at + 14 }, rows: [{ start: at + 23, end: at + 32 }] },
  }));
  return chunk(plainText(block.repeat(count), { headings, tables }));
};

const worstCase = (characters: number): unknown =>
  ['a', 'a-', '1.', '´'].map((part) => tokenize(part.repeat(characters / part.length), 'es'));

it.each<[string, (size: number) => unknown, number]>([
  ['headings and tables', headingsAndTables, 25_000],
  ['a text without spaces', (size) => chunk(plainText('x'.repeat(size))), 500_000],
  ['tokens of worst-case input', worstCase, 200_000],
])('%s of twice the size take at most three times as long', (_what, work, size) => {
  work(size);
  expect(cpuMs(() => work(2 * size))).toBeLessThan(3 * cpuMs(() => work(size)));
});
