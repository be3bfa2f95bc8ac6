import { Injectable } from '@nestjs/common';
import { countSkillResults } from '@acervo/contracts';
import { Calls } from '@acervo/platform-calls';
import { Logger } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';

/** How many documents have results of each skill, by its code. */
export type SkillDocuments = ReadonlyMap<string, number>;

/** Asks how many documents another prompt or model of a skill concerns. */
@Injectable()
export class SkillResults {
  constructor(
    private readonly calls: Calls,
    private readonly logger: Logger,
  ) {}

  /** Undefined while ingestion does not answer: parameters are shown and set without it. */
  async of(scope: Scope): Promise<SkillDocuments | undefined> {
    try {
      const { skills } = await this.calls.send(countSkillResults, scope, {});
      return new Map(skills.map(({ skillCode, documents }) => [skillCode, documents]));
    } catch (error) {
      this.logger.warn({ error }, 'the results of skills could not be counted');
      return undefined;
    }
  }
}
