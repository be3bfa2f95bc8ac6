import {
  type AgentProfile,
  type AgentTool,
  allOperations,
  inputSchemaOf,
  isOperation,
  type JsonSchema,
  NotFound,
  type Operation,
} from '@acervo/contracts';
import { mayExecute, reaches, type Scope } from '@acervo/rbac';
import { withConfirmation } from './confirmation';
import { type FixedTool, fixedTools } from './fixed-tools';

/** A tool of agents: a call under a fixed name, or an operation, which the executor runs. */
export type Tool = { readonly listed: AgentTool } & (
  { readonly kind: 'call'; readonly fixed: FixedTool } | { readonly kind: 'operation'; readonly operation: Operation }
);

/** `documents.get` is `documents_get`. */
export const toolNameOf = ({ code }: Pick<Operation, 'code'>): string => code.replaceAll('.', '_');

const ofCall = (fixed: FixedTool): Tool => {
  const { name: publicName, call, summary } = fixed;
  const inputSchema = { description: summary, ...inputSchemaOf(call.input, 'public') };
  return {
    kind: 'call',
    fixed,
    listed: { operation: call.code, publicName, inputSchema, readOnly: call.effect === 'read' },
  };
};

const schemaOf = ({ kind, summary, input }: Operation): JsonSchema => {
  const schema = { description: summary, ...inputSchemaOf(input, 'public') };
  return kind === 'write_confirm' ? withConfirmation(schema) : schema;
};

const ofOperation = (operation: Operation): Tool => ({
  kind: 'operation',
  operation,
  listed: {
    operation: operation.code,
    publicName: toolNameOf(operation),
    inputSchema: schemaOf(operation),
    readOnly: operation.kind === 'read',
  },
});

/** Whether the caller reaches the route of the tool, or executes the operation that it stands for. */
const isAllowed = (scope: Scope, tool: Tool): boolean => {
  if (tool.kind === 'operation') return mayExecute(scope, tool.operation);
  const { call, requirement } = tool.fixed;
  return reaches(scope, requirement) || (isOperation(call) && mayExecute(scope, call));
};

const belongsTo = (profile: AgentProfile, tool: Tool): boolean =>
  tool.kind === 'operation' ? profile === 'user_chat' : tool.fixed.profiles.includes(profile);

/** All tools, and those that a caller has under a profile. */
export class ToolCatalogue {
  private readonly tools: readonly Tool[];

  /** @throws FieldMappingMissing for a field whose codes have no public names */
  constructor(operations: readonly Operation[] = allOperations(), fixed: readonly FixedTool[] = fixedTools) {
    const named = new Set(fixed.map(({ call }) => call.code));
    this.tools = [...fixed.map(ofCall), ...operations.filter(({ code }) => !named.has(code)).map(ofOperation)].toSorted(
      ({ listed: one }, { listed: other }) => (one.publicName < other.publicName ? -1 : 1),
    );
  }

  /** The tools of a caller, by name. */
  list(scope: Scope, profile: AgentProfile): readonly Tool[] {
    return this.tools.filter((tool) => belongsTo(profile, tool) && isAllowed(scope, tool));
  }

  /** @throws NotFound for a name that the list of the caller does not have */
  find(scope: Scope, profile: AgentProfile, name: string): Tool {
    const tool = this.list(scope, profile).find(({ listed }) => listed.publicName === name);
    if (tool === undefined) throw new NotFound();
    return tool;
  }
}
