import { isOperation, searchDocuments } from '@acervo/contracts';
import { type ChatTool, estimatedTokens } from '@acervo/models/chat';
import type { Scope } from '@acervo/rbac';
import { CONFIRMATION_NAMES } from '../agent/confirmation';
import type { Tool, ToolCatalogue } from '../agent/tool-catalogue';

type JsonObject = Readonly<Record<string, unknown>>;

/** What providers accept in one request. */
const MOST_TOOLS = 128;
const PASSAGE_TOOLS: readonly string[] = ['search_documents', 'read_space'];

/** What the loop does with a call of a tool. */
export type LoopUse = 'read' | 'preview' | 'withhold';

/**
 * Text of documents stands in each request, so that a planted sentence may make the model call a tool. The loop
 * therefore changes nothing: it reads, it previews what is confirmed, and leaves other writes to a person (ADR 36).
 */
export const useOf = (tool: Tool): LoopUse => {
  if (tool.listed.readOnly) return 'read';
  return tool.kind === 'operation' && tool.operation.kind === 'write_confirm' ? 'preview' : 'withhold';
};

const withoutConfirmation = ({ properties, ...rest }: JsonObject): JsonObject => ({
  ...rest,
  properties: Object.fromEntries(
    Object.entries((properties ?? {}) as JsonObject).filter(([name]) => !CONFIRMATION_NAMES.includes(name)),
  ),
});

const offered = ({ listed: { publicName, inputSchema } }: Tool): ChatTool => {
  const { description, ...parameters } = inputSchema;
  return { name: publicName, description: String(description), parameters: withoutConfirmation(parameters) };
};

/**
 * The tools of a caller in the built-in loop, by name. A question that is restricted to a folder has the search alone:
 * no other tool stays within the folder.
 */
export const loopTools = (
  catalogue: ToolCatalogue,
  scope: Scope,
  locationCode: string | undefined,
): ReadonlyMap<string, Tool> => {
  const tools = catalogue.list(scope, 'user_chat').filter((tool) => locationCode === undefined || isSearch(tool));
  return new Map(tools.map((tool) => [tool.listed.publicName, tool]));
};

/** Tools that a question needs first, of which those that bring passages; a request may have no room for all. */
const rankOf = (tool: Tool): number => {
  if (PASSAGE_TOOLS.includes(tool.listed.publicName)) return 0;
  return tool.kind === 'call' ? 1 : useOf(tool) === 'read' ? 2 : 3;
};

/** What the model is offered of them, within so many tokens: not what the loop never does. */
export const offeredTools = (tools: ReadonlyMap<string, Tool>, mostTokens: number): readonly ChatTool[] => {
  const ranked = [...tools.values()]
    .filter((tool) => useOf(tool) !== 'withhold')
    .toSorted((one, other) => rankOf(one) - rankOf(other))
    .slice(0, MOST_TOOLS)
    .map(offered);
  let left = mostTokens;
  return ranked.filter((tool) => {
    const tokens = estimatedTokens(JSON.stringify(tool));
    if (tokens > left) return false;
    left -= tokens;
    return true;
  });
};

export const isSearch = (tool: Tool): boolean => tool.kind === 'call' && tool.fixed.call === searchDocuments;

/** Whether a call counts against the quota RETRIEVALS. */
export const isRetrieval = (tool: Tool, toolArguments: JsonObject): boolean =>
  isSearch(tool) || (tool.listed.publicName === 'read_space' && toolArguments['resolution'] === 'chunks');

/** What a tool does, in English. */
export const summaryOf = (tool: Tool): string =>
  tool.kind === 'operation' ? tool.operation.summary : tool.fixed.summary;

/** The operation that a person executes in place of the tool. */
export const operationOf = (tool: Tool) =>
  tool.kind === 'operation'
    ? tool.operation
    : isOperation(tool.fixed.call)
      ? tool.fixed.call
      : { code: tool.listed.operation, screens: [] };
