import { canariesIn } from './canaries';

/** A challenge of a passkey as browsers receive it, with three letters that begin a canary. */
const CHALLENGE = 'zqbhUq3v0N8y1fJx-Kd_R4mW7sTgA2bLcE6pQyZ9o5I';

describe('words of another group in an answer', () => {
  it.each([
    ['a name', '{"name":"zqbtitulo Uno"}', 'zqbtitulo'],
    ['a line of a document', '{"text":"Acta\\nzqbsecreto de riego"}', 'zqbsecreto'],
    ['a name within a path', '{"path":"/home/documents/zqbactas/uno.txt"}', 'zqbactas'],
    ['a long path', `{"path":"${'carpeta-'.repeat(8)}zqbactas"}`, 'zqbactas'],
    ['a name beside a random token', `{"challenge":"${CHALLENGE}","name":"zqbuno"}`, 'zqbuno'],
  ])('are found in %s', (_, received, word) => {
    expect(canariesIn(received, '')).toEqual([word]);
  });

  it('are not read into random tokens', () => {
    expect(canariesIn(`{"challenge":"${CHALLENGE}"}`, '')).toEqual([]);
  });

  it.each([
    ['itself', 'zqbnuggdora'],
    ['its stem', 'zqbnuggd'],
  ])('are not what the caller has sent, nor %s', (_, echoed) => {
    expect(canariesIn(`{"terms":["${echoed}"]}`, '{"query":"zqbnuggdora"}')).toEqual([]);
  });

  it('are found where they only begin like what the caller has sent', () => {
    expect(canariesIn('{"name":"zqbnuggdix zqbnug"}', '{"query":"zqbnuggdora"}')).toEqual(['zqbnuggdix', 'zqbnug']);
  });
});
