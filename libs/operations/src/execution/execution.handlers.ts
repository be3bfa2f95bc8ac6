import { Injectable } from '@nestjs/common';
import {
  decode,
  encode,
  executeOperation,
  type Execution,
  type ExecutionOutcome,
  type Operation,
  publicError,
} from '@acervo/contracts';
import { Calls, Handles, type WriteContext } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { OperationCatalogue } from '../catalogue/operation-catalogue';
import { Idempotency } from './idempotency';
import { PreviewTokens } from './preview-tokens';

type JsonObject = Record<string, unknown>;

/** Sends the calls of operations: checks visibility first, then the input against its schema, then calls its owner. */
@Injectable()
export class ExecutionHandlers {
  constructor(
    private readonly catalogue: OperationCatalogue,
    private readonly calls: Calls,
    private readonly tokens: PreviewTokens,
    private readonly idempotency: Idempotency,
  ) {}

  @Handles(executeOperation)
  async execute(scope: Scope, request: Execution, { idempotencyKey }: WriteContext): Promise<ExecutionOutcome> {
    const { operation } = this.catalogue.find(scope, request.code);
    const input = decode(operation.input, request.input ?? {}, { closed: true, representation: 'public' });
    if (operation.kind === 'write_confirm' && !request.confirm) return this.preview(scope, operation, input);
    const { code, kind } = operation;
    const asked = { code, input: encode(operation.input, input, 'public') };
    const result = await this.idempotency.run(
      scope,
      kind === 'read' ? undefined : idempotencyKey,
      asked,
      async (ownersKey) => {
        await this.assertPreviewed(scope, operation, input, request.previewToken);
        return this.send(scope, operation, input, ownersKey);
      },
    );
    return { code, kind, executed: true, result };
  }

  private async send(scope: Scope, operation: Operation, input: object, idempotencyKey?: string): Promise<JsonObject> {
    const options = idempotencyKey === undefined ? {} : { idempotencyKey };
    const output = await this.calls.send(operation, scope, input, options).catch((error: unknown) => {
      throw publicError(operation.input, error);
    });
    return encode(operation.output, output, 'public');
  }

  private async preview(scope: Scope, operation: Operation, input: object): Promise<ExecutionOutcome> {
    const { code, kind } = operation;
    const counts = await this.count(scope, operation, input);
    const encoded = encode(operation.input, input, 'public');
    const token = this.tokens.issue({ scope, code, input: encoded, counts });
    const preview = { input: encoded, effect: counts, preview_token: token };
    return { code, kind, executed: false, confirmRequired: true, preview };
  }

  private async assertPreviewed(
    scope: Scope,
    operation: Operation,
    input: object,
    token: string | undefined,
  ): Promise<void> {
    if (token === undefined || operation.preview === null) return;
    const encoded = encode(operation.input, input, 'public');
    this.tokens.check(token, {
      scope,
      code: operation.code,
      input: encoded,
      counts: await this.count(scope, operation, input),
    });
  }

  private async count(scope: Scope, { code, preview }: Operation, input: object): Promise<JsonObject> {
    if (preview === null) throw new Error(`${code} has no preview.`);
    return encode(preview.output, await this.calls.send(preview, scope, input), 'public');
  }
}
