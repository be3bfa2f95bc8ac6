import { safeLine, safeName, withoutMarks } from './safe-line';

describe('a line of an answer', () => {
  it.each([
    ['[text](https://evil.example)', 'text'],
    ['![image](https://evil.example/i.png) a', 'a'],
    ['![image][1] a', 'a'],
    ['[[a](b)](c)', '[a] (c)'],
    ['see https://evil.example/a?b=c.', 'see'],
    ['see www.evil.example now', 'see now'],
    ['javascript:alert(1) a', ') a'],
    ['ht<b>tp://evil.example/</b> a', 'a'],
    ['<<b>script>alert(1)</script> a', 'script>alert(1) a'],
    ['<img src=x onerror=alert(1)', 'img src=x onerror=alert(1)'],
    ['a &lt;script&gt; b', 'a script b'],
    ['a\u202eb\u200b\u0000c\n\td', 'abc d'],
    ['a\ud800b', 'a\ufffdb'],
    ['5 < 6 and 7 > 2', '5 < 6 and 7 > 2'],
    ['**bold** `code`', 'bold code'],
    ['שלום, עולם', 'שלום, עולם'],
  ])('%j reads %j', (text, line) => expect(safeLine(text)).toBe(line));

  it.each([
    ['a [1].', 'a.'],
    ['a [1, 2][3-5] b', 'a b'],
    ['a 【7】', 'a'],
    ['a [^1] [b]', 'a [b]'],
  ])('%j without marks reads %j', (line, text) => expect(withoutMarks(line)).toBe(text));

  it('a name that is an address becomes the code of its document', () => {
    expect(safeName('https://evil.example/a.pdf', 'DOC-1')).toBe('DOC-1');
  });

  it.each(['[', '![', '[a](', '<a', '<', '&a', 'a:', 'a.', 'www.', '`', '[1', '\u202e', ' '])(
    'a line of %j alone is read in linear time',
    (piece) => expect(withoutMarks(safeLine(piece.repeat(300_000)))).toBeDefined(),
  );
});
