import { mailTemplates } from './mail-templates';

const LINK = 'https://acervo.example.test/auth/establecer-clave#token';

const greetingOf = (name: string): string | undefined => {
  const texts = [mailTemplates.invitation, mailTemplates.recovery].map(
    (template) => template('ana@example.test', name, [{ groupName: 'Grupo', link: LINK }]).text,
  );
  const lines = texts.map((text) => text.split('\n'));
  expect(lines.map(({ length }) => length)).toEqual([9, 9]);
  expect(lines[0]?.[0]).toBe(lines[1]?.[0]);
  return lines[0]?.[0];
};

describe('the name in a mail', () => {
  it.each([
    ['Ana María Núñez', 'Hola, Ana María Núñez:'],
    ["J. O'Neill-García", "Hola, J. O'Neill-García:"],
    ['王小明', 'Hola, 王小明:'],
    ['J.R. Ewing', 'Hola, J R. Ewing:'],
    ['Pulse https://evil.example.com/a?b=c', 'Hola, Pulse https evil example com a b c:'],
    ['evil.example', 'Hola, evil example:'],
    ['evil。example．com', 'Hola, evil example com:'],
    ['a@evil.example', 'Hola, a evil example:'],
    ['Ana\r\n\r\nAbra\u2028esto\u0085ya', 'Hola, Ana Abra esto ya:'],
    ['<a href="//evil.example">Ana</a>', 'Hola, a href evil example Ana a:'],
    ['Ana\u202Eanul\u200B', 'Hola, Ana anul:'],
    ['\n://', 'Hola:'],
  ])('%j is one line without links', (name, line) => {
    expect(greetingOf(name)).toBe(line);
  });
  it('a long name is cut', () => {
    expect(greetingOf('a'.repeat(200))).toBe(`Hola, ${'a'.repeat(80)}:`);
  });
});
