// Asks questions as a program does, and reads what the answers cite as a person does.
import { People } from '@acervo/e2e/harness';
import { collapsed } from './citations.mjs';

/** Of the administrator, whose conversations show what an answer cites. */
export const PASSWORD = 'una frase larga y segura 7';
const ADMINISTRATOR = 'admin@acervo.local';

const citationOf = ({ numero, codigo_documento, nombre_documento, pagina, url, cita }) => ({
  ...{ number: numero, documentCode: codigo_documento, name: nombre_documento, page: pagina, url, quote: cita },
});

/** Whether an answer names this citation by its number in a sentence and at its end. */
const isNamed = (answer, { number, url }) => answer.includes(`[${number}]`) && answer.includes(`: ${url}`);

/** Asks one question. @returns the answer, and what its sentences cite; nothing for an abstention */
const asked = async (installation, bearer, question) => {
  const { status, body } = await installation.ask('POST', '/v1/ask', { question });
  if (status !== 200) throw new Error(`A question was answered ${status}: ${JSON.stringify(body)}`);
  const authorization = { authorization: `Bearer ${bearer}` };
  const shown = await installation.ask('GET', `/chat/conversaciones/${body.conversation_id}`, undefined, authorization);
  const { citas, texto } = shown.body.mensajes.at(-1);
  if (texto !== body.answer) throw new Error(`The stored answer differs from the one of /v1: ${question}`);
  return { answer: body.answer, citations: citas.map(citationOf).filter(({ quote }) => quote !== '') };
};

/** Asks all questions, each in a conversation of its own, and checks what the answers cite. */
export const askAll = async (installation, checks, questions) => {
  const bearer = await new People(installation).tokenOf(ADMINISTRATOR);
  const results = [];
  for (const each of questions) {
    const { answer, citations } = await asked(installation, bearer, each.question);
    const checked = [];
    for (const citation of citations)
      checked.push({ ...citation, stands: isNamed(answer, citation) && (await checks.stands(citation)) });
    const snippet = collapsed(each.snippet);
    const quotes = citations.flatMap(({ quote, ...citation }) =>
      quote.split('\n').map((line) => ({ ...citation, quote: line })),
    );
    results.push({
      ...{ ...each, isAnswered: citations.length > 0, citations: checked },
      passage: quotes.some((one) => checks.passagesOf(one).some((text) => text.includes(snippet))),
      sentence: citations.some(({ quote }) => collapsed(quote).includes(snippet)),
    });
  }
  return results;
};
