import type { Type } from '@nestjs/common';
import {
  decode,
  encode,
  executeOperation,
  type Execution,
  type ExecutionOutcome,
  fieldsOf,
  InvalidInput,
} from '@acervo/contracts';
import { type Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import type { Catalogue, Entry } from '../catalogue/catalogue';
import type { Once } from './once';
import type { PreviewTokens } from './preview-tokens';

type Plain = Record<string, unknown>;

/** What an owner finds wrong with an input names fields as its wire does; callers know them by their public names. */
const inPublic = (input: Type, error: unknown): unknown => {
  if (!(error instanceof InvalidInput)) return error;
  const names = new Map(fieldsOf(input).map(({ wire, publicName }) => [wire, publicName]));
  const known = (list: unknown): string[] =>
    Array.isArray(list) ? list.flatMap((wire: string) => names.get(wire) ?? []) : [];
  const { missing_fields: missing, invalid_fields: invalid } = error.details;
  return new InvalidInput({ missing: known(missing), invalid: known(invalid), unknown: 0 });
};

/** Sends the calls of operations: visibility first, then the input as its schema has it, then whatever its owner says. */
export class Executor {
  constructor(
    private readonly catalogue: Catalogue,
    private readonly calls: Calls,
    private readonly tokens: PreviewTokens,
    private readonly once: Once,
  ) {}

  @Handles(executeOperation)
  async execute(scope: Scope, request: Execution, { idempotencyKey }: WriteContext): Promise<ExecutionOutcome> {
    const entry = this.catalogue.find(scope, request.code);
    const input = decode(entry.call.input, request.input ?? {}, { closed: true, face: 'public' });
    if (entry.kind === 'write_confirm' && !request.confirm) return this.preview(scope, entry, input);
    const { code, kind } = entry;
    const asked = { code, input: encode(entry.call.input, input, 'public') };
    const result = await this.once.run(
      scope,
      kind === 'read' ? undefined : idempotencyKey,
      asked,
      async (ownersKey) => {
        await this.assertPreviewed(scope, entry, input, request.previewToken);
        return this.send(scope, entry, input, ownersKey);
      },
    );
    return { code, kind, executed: true, result };
  }

  private async send(scope: Scope, { call }: Entry, input: object, idempotencyKey?: string): Promise<Plain> {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    const output = await this.calls.send(call, scope, input, options).catch((error: unknown) => {
      throw inPublic(call.input, error);
    });
    return encode(call.output, output, 'public');
  }

  private async preview(scope: Scope, entry: Entry, input: object): Promise<ExecutionOutcome> {
    const { code, kind } = entry;
    const counts = await this.count(scope, entry, input);
    const given = encode(entry.call.input, input, 'public');
    const token = this.tokens.issue({ scope, code, input: given, counts });
    const preview = { input: given, effect: counts, preview_token: token };
    return { code, kind, executed: false, confirmRequired: true, preview };
  }

  private async assertPreviewed(scope: Scope, entry: Entry, input: object, token: string | undefined): Promise<void> {
    if (token === undefined || entry.preview === null) return;
    const given = encode(entry.call.input, input, 'public');
    this.tokens.check(token, { scope, code: entry.code, input: given, counts: await this.count(scope, entry, input) });
  }

  private async count(scope: Scope, { code, preview }: Entry, input: object): Promise<Plain> {
    if (preview === null) throw new Error(`${code} has no preview.`);
    return encode(preview.output, await this.calls.send(preview, scope, input), 'public');
  }
}
