import { Injectable } from '@nestjs/common';
import type { FunctionRecord, FunctionView } from '@acervo/contracts';
import { Logger } from '@acervo/platform-observability';
import { RecentAnswers } from '@acervo/platform-resilience';
import { textOfView } from '../function-views/view-statement';
import { type FunctionRow, recordOf } from './function.store';

const HOLD_MS = 3_600_000;
const MOST_TEXTS = 1_000;

type ViewOfFunction = Pick<FunctionRow, 'code' | 'tree' | 'generatedAt' | 'syncedAt'>;

/** Shows functions with the text of their views. Lists repeat the texts, so that each is written from its tree once. */
@Injectable()
export class ViewTexts {
  private readonly texts = new RecentAnswers<string | null>(HOLD_MS, MOST_TEXTS);

  constructor(private readonly logger: Logger) {}

  async record(row: FunctionRow): Promise<FunctionRecord> {
    return recordOf(row, await this.viewOf(row));
  }

  records(rows: readonly FunctionRow[]): Promise<FunctionRecord[]> {
    return Promise.all(rows.map((row) => this.record(row)));
  }

  /** Null for a function without a view, and for a view of another release that this one cannot write. */
  async viewOf({ code, tree, generatedAt, syncedAt }: ViewOfFunction): Promise<FunctionView | null> {
    if (tree === null || generatedAt === null) return null;
    const at = generatedAt.toISOString();
    const statement = await this.texts.get(`${code} ${at}`, () =>
      textOfView(tree).catch((error: unknown) => {
        this.logger.warn({ error, function: code }, 'the view of a function could not be written');
        return null;
      }),
    );
    return statement === null ? null : { statement, generatedAt: at, syncedAt: syncedAt?.toISOString() ?? null };
  }
}
