import { type WrittenSentence, WrittenSentences } from './written-sentences';

const read = (parts: readonly string[]): WrittenSentence[] => {
  const written = new WrittenSentences();
  return [...parts.flatMap((part) => written.add(part)), ...written.end()];
};
const inParts = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size));

const TEXTS = [
  'The deposit is 900 euros [1]. Gifts worth more than 30 euros are returned [2]. Pets are not allowed [1].',
  'The deposit is 900 euros. [1] [2] Gifts are returned. [2]',
  'The deposit is 900 euros[1][2].Gifts cost 30. Pets, too[3].',
  'The deposit is 900 euros [1](https://evil.example/a). Gifts are returned [2](x). End.',
  '- The deposit is 900 euros [1].\n- Gifts are returned [2].\n\n1. First [1].\n2. Second [2].\n',
  'El art. 4 lo dice la Sra. Pérez [passage 1]. ¿Y el n.º 5? «Sí», dijo. No. 12 sigue 【2】.',
  'Paid at 10.30 a.m. on day 5 [1, 3-5]. "It is due." [2] (See the note.) [1]\n## Heading\nA last one 👍🏽 — año [1]',
  'A bracket [that is no mark] stays [1]. One [that never closes. And [1] more. Then a',
  '… [1]\n\n[2] Alone. ! ? [3] Well?! [1]. "',
];

describe('sentences of a text that is being written', () => {
  it.each(TEXTS)('they are the same in parts of any size: %s', (text) => {
    const whole = read([text]);
    for (let size = 1; size < text.length; size += 1) expect(read(inParts(text, size))).toEqual(whole);
    for (let at = 1; at < text.length; at += 1) expect(read([text.slice(0, at), text.slice(at)])).toEqual(whole);
  });

  it('one is complete once a word of the next one follows', () => {
    const written = new WrittenSentences();
    const complete = ['The deposit is 900', ' euros [1].', ' [2]', ' [', '3] ', 'Gi'].map((part) => written.add(part));
    expect(complete).toEqual([[], [], [], [], [], [{ text: 'The deposit is 900 euros.', passages: [1, 2, 3] }]]);
    expect(written.end()).toEqual([{ text: 'Gi', passages: [] }]);
  });

  it('a text beyond the longest one is cut', () => {
    const [sentence] = read(['x'.repeat(59_990), 'y'.repeat(100), 'z']);
    expect(sentence?.text).toHaveLength(60_000);
  });
});
