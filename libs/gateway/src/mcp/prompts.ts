import { type GetPromptResult, type Prompt, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server';

type Arguments = Readonly<Record<string, string>>;

interface Declared extends Prompt {
  readonly name: string;
  readonly arguments: { readonly name: string; readonly description: string; readonly required: true }[];
  readonly text: (values: Arguments) => string;
}

const MOST_CHARACTERS = 2_000;

const argument = (name: string, description: string): Declared['arguments'][number] => ({
  name,
  description,
  required: true,
});

const CITE = 'Support each statement with the document code and page of a passage. Say so where nothing supports one.';

/** Tasks that people start by name. They name tools, and have no rights of their own. */
const declared: readonly Declared[] = [
  {
    name: 'search-with-citations',
    description: 'Answer a question from the documents, with citations',
    arguments: [argument('question', 'The question, in Spanish or English')],
    text: ({ question }) => `Search with search_documents and answer this question: ${question ?? ''}\n\n${CITE}`,
  },
  {
    name: 'compare-documents',
    description: 'Compare two documents by what they say',
    arguments: [argument('first', 'Code of one document'), argument('second', 'Code of the other one')],
    text: ({ first, second }) =>
      `Read the documents ${first ?? ''} and ${second ?? ''} with get_document, search both for what they treat, and say what they agree on and where they differ.\n\n${CITE}`,
  },
  {
    name: 'space-digest',
    description: 'Say what the documents of a space treat',
    arguments: [argument('space_id', 'Id of the space, as list_spaces has it')],
    text: ({ space_id: space }) =>
      `Read the space ${space ?? ''} with get_space and read_space, and say in at most ten sentences what its documents treat.\n\n${CITE}`,
  },
];

export const prompts: readonly Prompt[] = declared.map(({ text: _, ...prompt }) => prompt);

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** @throws ProtocolError for an unknown prompt, and for arguments that are missing or longer than 2,000 characters */
export const promptOf = (name: string, values: Arguments = {}): GetPromptResult => {
  const found = declared.find((prompt) => prompt.name === name);
  if (found === undefined) throw invalid('No prompt has this name; prompts/list has all names.');
  for (const { name: needed } of found.arguments) {
    const length = values[needed]?.length ?? 0;
    if (length === 0 || length > MOST_CHARACTERS) throw invalid(`${needed} needs 1 to ${MOST_CHARACTERS} characters.`);
  }
  return {
    description: found.description ?? name,
    messages: [{ role: 'user', content: { type: 'text', text: found.text(values) } }],
  };
};
