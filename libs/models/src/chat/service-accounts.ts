import { Inject, Injectable } from '@nestjs/common';
import { admitModelCall, type ModelCall, modelCallEnded, MOST_TOKENS, type ReportedOutcome } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { SERVICE_NAME } from '@acervo/platform-config';
import { Database } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import { Logger } from '@acervo/platform-observability';
import { WorkScope } from '@acervo/rbac';
import { ChatModelFailure } from './chat.errors';
import type { ObservedRequest } from './chat-observer';
import { type AccountedRequest, ModelAccounts } from './model-accounts';

const bounded = (tokens: number): number => Math.min(MOST_TOKENS, Math.round(tokens));

const outcomeOf = ({ outcome, finish, usage }: ObservedRequest): ReportedOutcome => {
  if (outcome === 'OK') return finish === 'length' ? 'LENGTH' : finish === 'withheld' ? 'WITHHELD' : 'COMPLETED';
  // Before it was admitted, nothing of these is reported.
  if (outcome === 'NOT_CONFIGURED' || outcome === 'MODEL' || outcome === 'PLAN') return 'REFUSED';
  return outcome === 'UNREACHABLE' && usage !== null ? 'CUT_OFF' : outcome;
};

/**
 * The accounts of a service. Operations owns what a group uses: it admits each request by a call, and counts its most
 * tokens. The end travels by an event, so that it arrives even where operations does not answer at that moment; a
 * program that is killed before leaves the most tokens counted.
 */
@Injectable()
export class ServiceAccounts extends ModelAccounts {
  constructor(
    @Inject(SERVICE_NAME) private readonly service: string,
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly outbox: Outbox,
    private readonly logger: Logger,
  ) {
    super();
  }

  async admit(accounted: AccountedRequest): Promise<void> {
    const { callId, request, model } = accounted;
    const { code: purpose, entityCode, layers } = request.purpose;
    const mostTokens = bounded(accounted.mostTokens);
    const asked = { callId, entityCode, purpose, layers, model, mostTokens, timeoutMs: request.timeoutMs };
    if (!(await this.isAdmitted(accounted, asked))) throw new ChatModelFailure('PLAN');
  }

  async settle({ callId, request }: AccountedRequest, ended: ObservedRequest): Promise<void> {
    const { tokensIn, tokensOut } = ended.usage ?? { tokensIn: 0, tokensOut: 0 };
    const report = {
      ...{ callId, outcome: outcomeOf(ended), milliseconds: Math.round(ended.seconds * 1_000) },
      ...{ tokensIn: bounded(tokensIn), tokensOut: bounded(tokensOut) },
    };
    try {
      await this.database.write(this.scopeOf(request.group), (tx) => this.outbox.append(tx, modelCallEnded, report));
    } catch (error) {
      this.logger.error({ error }, 'the end of a call of a chat model could not be reported; its most tokens count');
    }
  }

  private async isAdmitted(accounted: AccountedRequest, asked: ModelCall): Promise<boolean> {
    const { request, model } = accounted;
    try {
      return (await this.calls.send(admitModelCall, this.scopeOf(request.group), asked)).isAdmitted;
    } catch (error) {
      this.logger.warn({ error }, 'a call of a chat model could not be admitted');
      // It may have been admitted without an answer: then it counts nothing. Operations takes a later admission back.
      await this.settle(accounted, { outcome: 'UNREACHABLE', finish: null, usage: null, model, seconds: 0 });
      throw new ChatModelFailure('UNREACHABLE', 'the tokens of the group cannot be counted now');
    }
  }

  private scopeOf(group: string): WorkScope {
    return new WorkScope(group, this.service, 'chat model');
  }
}
