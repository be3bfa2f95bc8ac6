import { decode, Flag, inputSchemaOf, type JsonSchema, Text } from '@acervo/contracts';

type JsonObject = Readonly<Record<string, unknown>>;

/** What a tool that needs a confirmation takes beside the input of its operation. */
export class ToolConfirmation {
  @Flag({ default: false, description: 'Do it; needs the token of a preview that the user agreed to' })
  readonly confirm!: boolean;
  @Text({ min: 1, max: 400, optional: true, description: 'Token of the preview; without it the answer is a preview' })
  readonly previewToken?: string;
}

const schema = inputSchemaOf(ToolConfirmation, 'public') as { readonly properties: JsonObject };

/** The names that the arguments of a tool have for its confirmation. */
export const CONFIRMATION_NAMES: readonly string[] = Object.keys(schema.properties);

/** The schema of an operation's input with its confirmation. */
export const withConfirmation = ({ properties, ...rest }: JsonSchema): JsonSchema => ({
  ...rest,
  properties: { ...(properties as JsonObject), ...schema.properties },
});

/** The input of an operation, and its confirmation apart. */
export interface Confirmed {
  readonly input: JsonObject;
  readonly confirmation: ToolConfirmation;
}

/** @throws InvalidInput for a confirmation that is wrong; the input is left to the executor */
export const confirmedInput = (toolArguments: JsonObject): Confirmed => {
  const isConfirmation = ([name]: [string, unknown]): boolean => CONFIRMATION_NAMES.includes(name);
  const entries = Object.entries(toolArguments);
  const confirmation = Object.fromEntries(entries.filter(isConfirmation));
  return {
    input: Object.fromEntries(entries.filter((entry) => !isConfirmation(entry))),
    confirmation: decode(ToolConfirmation, confirmation, { closed: true, representation: 'public' }),
  };
};
