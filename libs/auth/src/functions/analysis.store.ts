import { Injectable } from '@nestjs/common';
import type { FunctionAnalysis } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** What the last analysis of each function found. Written by the login of the catalogue alone. */
@Injectable()
export class AnalysisStore {
  async save(tx: Transaction, functionCode: string, report: Omit<FunctionAnalysis, 'analysedAt'>): Promise<void> {
    await tx.query(
      `insert into auth.global_function_analysis (function_code, report) values ($1, $2::jsonb)
       on conflict (function_code) do update set report = excluded.report, analysed_at = now()`,
      [functionCode, JSON.stringify(report)],
    );
  }
}
