import { exitCodes } from './exit-codes';
import { CommandFailure } from './failures';
import { fill, type Messages } from './messages';

/** A field of the input schema of an operation, as far as its flag needs it. */
interface Field {
  readonly type?: string | readonly string[];
  readonly items?: Field;
  readonly description?: string;
  readonly enum?: readonly unknown[];
}

export interface InputSchema {
  readonly properties?: Readonly<Record<string, Field>>;
  readonly required?: readonly string[];
}

export const flagOf = (name: string): string => `--${name.replaceAll('_', '-')}`;

const typesOf = ({ type }: Field): readonly string[] => (type === undefined ? [] : [type].flat());

/** Name of the type of a flag, for people. */
export const typeNameOf = (field: Field): string =>
  field.enum === undefined
    ? typesOf(field)
        .filter((type) => type !== 'null')
        .join('|') || 'JSON'
    : field.enum.join('|');

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
};

/** A value of the command line in the type of its field; undefined where it is of none. Its bounds are the service's. */
const valueOf = (text: string, field: Field): unknown => {
  const types = typesOf(field);
  if (text === 'null' && types.includes('null')) return null;
  if (types.includes('string')) return text;
  if (types.includes('integer') || types.includes('number')) return text.trim() === '' ? undefined : finite(text);
  if (types.includes('boolean')) return { true: true, false: false }[text];
  if (types.includes('array')) return text.startsWith('[') ? parseJson(text) : valueOf(text, field.items ?? {});
  return parseJson(text);
};

const finite = (text: string): number | undefined => (Number.isFinite(Number(text)) ? Number(text) : undefined);

/** Arguments as pairs of flag and value: `--name value`, `--name=value`, or a flag alone for true. */
const pairsOf = (args: readonly string[]): [string, string | undefined][] => {
  const pairs: [string, string | undefined][] = [];
  for (let index = 0; index < args.length; index += 1) {
    const [flag = '', ...rest] = (args[index] ?? '').split('=');
    const next = args[index + 1];
    const isAlone = rest.length > 0 || next === undefined || next.startsWith('--');
    pairs.push([flag, rest.length > 0 ? rest.join('=') : isAlone ? undefined : next]);
    if (!isAlone) index += 1;
  }
  return pairs;
};

/** The input of an operation from its flags. @throws CommandFailure for a flag that the schema does not have */
export const inputOfFlags = (
  args: readonly string[],
  schema: InputSchema,
  messages: Messages,
): Record<string, unknown> => {
  const fields = new Map(
    Object.entries(schema.properties ?? {}).map(([name, field]) => [flagOf(name), { name, field }]),
  );
  const input: Record<string, unknown> = {};
  for (const [flag, text] of pairsOf(args)) {
    const declared = fields.get(flag);
    if (declared === undefined) {
      const next = fill(messages.unknownFlagNext, { flags: [...fields.keys()].join(' ') });
      throw new CommandFailure(exitCodes.usage, fill(messages.unknownFlag, { flag }), next);
    }
    const { name, field } = declared;
    if (text === undefined && !typesOf(field).includes('boolean'))
      throw new CommandFailure(exitCodes.usage, fill(messages.flagWithoutValue, { flag }));
    const value = valueOf(text ?? 'true', field);
    if (value === undefined)
      throw new CommandFailure(exitCodes.usage, fill(messages.badValue, { flag, type: typeNameOf(field) }));
    const isList = typesOf(field).includes('array') && !Array.isArray(value) && value !== null;
    input[name] = isList ? [...((input[name] as unknown[] | undefined) ?? []), value] : value;
  }
  return input;
};
