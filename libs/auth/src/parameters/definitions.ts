import { modelParameter, promptParameter, skillCodes } from '@acervo/contracts';
import { parameterCategory, parameterType, type ParameterCategory, type ParameterType } from '@acervo/public-mapping';
import type { ParameterDefinition } from './values';

/** What each category governs. */
export const categories: Readonly<Record<ParameterCategory, { readonly name: string; readonly description: string }>> =
  {
    ORGANIZACION: {
      name: 'Organization',
      description: 'How the organization itself is presented, and how its spaces are kept.',
    },
    ASISTENTE: { name: 'Assistant', description: 'How a program should answer questions.' },
    CONEXIONES: { name: 'Connections', description: 'What programs use to reach sources outside.' },
  };

/** How values of each type are written. */
export const typeDescriptions: Readonly<Record<ParameterType, string>> = {
  TEXTO: 'A text of up to 4,000 characters that is not blank.',
  ENTERO: 'A whole number, such as 12.',
  DECIMAL: 'A number with up to six decimals, such as 0.25.',
  LOGICO: 'true or false.',
  FECHA: 'A day, such as 2026-01-31.',
  OPCION: 'One of the choices of the parameter.',
  SECRETO: 'A text of up to 4,000 characters that is stored sealed and never shown.',
};

export const categoryCodes: readonly ParameterCategory[] = parameterCategory.internalCodes;
export const typeCodes: readonly ParameterType[] = parameterType.internalCodes;

/** What is true of a parameter that no service reads. Its value serves client programs. */
export const UNREAD = 'Stored for client programs; Acervo itself does not act on it.';

/** The prompt and the model of each skill. */
export const skillParameters: readonly ParameterDefinition[] = skillCodes.flatMap((code) => [
  {
    ...({ category: 'ASISTENTE', type: 'TEXTO' } as const),
    code: promptParameter(code),
    name: `Prompt of ${code}`,
    description: `The task that a chat model gets for the skill ${code}, in place of the text of the product.`,
  },
  {
    ...({ category: 'ASISTENTE', type: 'TEXTO' } as const),
    code: modelParameter(code),
    name: `Model of ${code}`,
    description: `One of the chat models of the installation for the skill ${code}; without it that of CHAT_MODEL.`,
  },
]);

/** The parameters of the product. A description promises no effect that no service has. */
export const parameterDefinitions: readonly ParameterDefinition[] = [
  {
    code: 'LANGUAGE',
    name: 'Language',
    description:
      'Language that the organization prefers: of drafts of its profile, and of answers to questions too short to tell.',
    category: 'ORGANIZACION',
    type: 'OPCION',
    choices: ['es', 'en'],
    default: 'es',
  },
  {
    code: 'CONTACT',
    name: 'Contact',
    description: `Whom people of the organization ask for access. ${UNREAD}`,
    category: 'ORGANIZACION',
    type: 'TEXTO',
  },
  {
    code: 'SPACES_REFRESH_HOURS',
    name: 'Refresh of spaces',
    description:
      'Hours between refreshes of all spaces but those with a query; 24 is each day at midnight UTC, 0 is never.',
    category: 'ORGANIZACION',
    type: 'ENTERO',
    min: 0,
    max: 8_760,
    default: '0',
  },
  {
    code: 'HELP_ENABLED',
    name: 'Help',
    description: 'Whether questions in help mode are answered; without it they are 409.',
    category: 'ASISTENTE',
    type: 'LOGICO',
    default: 'false',
  },
  {
    code: 'ANSWER_DOCUMENTS',
    name: 'Documents of an answer',
    description: 'Most documents that an answer is drawn from.',
    category: 'ASISTENTE',
    type: 'ENTERO',
    min: 1,
    max: 50,
    default: '10',
  },
  {
    code: 'ANSWER_SIMILARITY',
    name: 'Similarity of an answer',
    description:
      'Least score of a sentence that answers a question, from its words and its similarity; below it the documents do not answer the question. It raises the measured threshold of 0.5 and does not lower it.',
    category: 'ASISTENTE',
    type: 'DECIMAL',
    min: 0,
    max: 1,
    default: '0',
  },
  {
    code: 'CHAT_MODEL_ALLOWED',
    name: 'Answers and skills by a chat model',
    description:
      'Whether questions and texts of documents may be sent to a chat model outside of the machine; without it answers and skills quote the documents.',
    category: 'ASISTENTE',
    type: 'LOGICO',
    default: 'false',
  },
  {
    code: 'CHAT_MODEL',
    name: 'Model of answers and skills',
    description: 'One of the chat models of the installation; without it its default, where it has one.',
    category: 'ASISTENTE',
    type: 'TEXTO',
  },
  {
    code: 'CHAT_MODEL_CHAT-USER',
    name: 'Model of answers for users',
    description: 'The same for new conversations of the function CHAT-USER alone.',
    category: 'ASISTENTE',
    type: 'TEXTO',
  },
  {
    code: 'CHAT_MODEL_CHAT-FINAL-USER',
    name: 'Model of answers for final users',
    description: 'The same for new conversations of the function CHAT-FINAL-USER alone.',
    category: 'ASISTENTE',
    type: 'TEXTO',
  },
  {
    code: 'CONVERSATION_RETENTION_DAYS',
    name: 'Retention of conversations',
    description:
      'Days after its last answer until a conversation is deleted, within an hour; 0 keeps it until its user deletes it.',
    category: 'ASISTENTE',
    type: 'ENTERO',
    min: 0,
    max: 3_650,
    default: '0',
  },
  {
    code: 'PROCESS_RETENTION_DAYS',
    name: 'Retention of processes',
    description:
      'Days after its end until a process that is done or cancelled is deleted, within an hour; 0 keeps it until a user deletes it.',
    category: 'ORGANIZACION',
    type: 'ENTERO',
    min: 0,
    max: 3_650,
    default: '0',
  },
  {
    code: 'MODEL_CALL_RETENTION_DAYS',
    name: 'Retention of model calls',
    description:
      'Days until the row of a call of a chat model is deleted, within an hour; it holds no text. 0 keeps it. What is counted of the plan stays.',
    category: 'ASISTENTE',
    type: 'ENTERO',
    min: 0,
    max: 3_650,
    default: '365',
  },
  {
    code: 'AGENT_CONFIRMS',
    name: 'Confirmation by agents',
    description:
      'Whether an agent with an API key may confirm what it previewed; without it, its tools preview and a person confirms.',
    category: 'ASISTENTE',
    type: 'LOGICO',
    default: 'true',
  },
  {
    code: 'WEB_TOKEN_HOST',
    name: 'Site of the web token',
    description:
      'Host of the site that gets WEB_TOKEN, such as handbook.example.org, without https:// and without a path. Set the host first; another host deletes the token.',
    category: 'CONEXIONES',
    type: 'TEXTO',
  },
  {
    code: 'WEB_TOKEN',
    name: 'Token of the web connector',
    description:
      'What requests for pages of web locations show to the site of WEB_TOKEN_HOST: over https, as a bearer token, to that host alone. Set the host first; another host deletes the token.',
    category: 'CONEXIONES',
    type: 'SECRETO',
  },
  ...skillParameters,
];
