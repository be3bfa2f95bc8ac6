import { AttachmentList } from '../src/attachment-list';

const LIMITS = { entries: 1_000 };
const BYTES = Buffer.from('x');
const namesOf = (names: readonly string[]): string[] => {
  const list = new AttachmentList(LIMITS);
  for (const name of names) list.add(name, '', BYTES);
  return list.items.map(({ name }) => name);
};

describe('the names of attachments', () => {
  it('equal names get the next free copy, whatever their case', () => {
    const names = ['a.txt', 'A.TXT', 'a (3).txt', 'a.txt', 'a.txt', 'a (3).txt'];
    expect(namesOf(names)).toEqual(['a.txt', 'A (2).TXT', 'a (3).txt', 'a (4).txt', 'a (5).txt', 'a (3) (2).txt']);
  });
  it('1,000 equal names look up each copy once', () => {
    const lookups = jest.spyOn(Map.prototype, 'has');
    const tested = jest.spyOn(Set.prototype, 'has');
    const names = namesOf(Array.from({ length: 1_000 }, () => 'correo.eml'));
    const count = lookups.mock.calls.length + tested.mock.calls.length;
    jest.restoreAllMocks();
    expect([new Set(names).size, names.at(-1)]).toEqual([1_000, 'correo (1000).eml']);
    expect(count).toBeLessThan(5_000);
  });
});
