import { inHandbookWords } from './question-terms';

describe('a question in the words of the handbook', () => {
  it.each([
    ['es', '¿Cómo elimino un chat?', 'borrar conversación'],
    ['es', '¿Qué significa un 403?', 'significa error 403'],
    ['es', 'quiero activar la verificación en dos pasos', 'activar segundo factor'],
    ['es', '¿Para qué sirve el preview_token?', 'preview_token'],
    ['en', 'How do I set up two-factor authentication?', 'set second factor'],
    ['en', 'Can my colleagues see it?', 'person see'],
    ['en', 'What happens?', ''],
  ] as const)('%s: %s', (language, question, expected) => {
    expect(inHandbookWords(question, language)).toBe(expected);
  });
});
