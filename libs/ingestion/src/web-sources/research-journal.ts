import { randomUUID } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Transaction } from '@acervo/platform-database';
import type { ResearchState, ResearchStep } from '../web/research-state';

/** How a run of research began. Without a journal it was stored whole, by a release before. */
export interface StoredResearch extends ResearchState {
  readonly journal?: string;
}

/** Where the steps of a run of research are stored: behind its beginning, in their order. */
export interface ResearchJournal {
  readonly code: string;
  readonly journal: string;
}

/** Stores research as its beginning and what each page changed, so that a page costs what it says. */
@Injectable()
export class ResearchJournalStore {
  /** Stores a state as the beginning of further steps. */
  async begin(tx: Transaction, code: string, state: ResearchState): Promise<ResearchJournal> {
    const journal = randomUUID();
    await this.end(tx, code);
    await this.set(tx, code, JSON.stringify({ ...state, journal } satisfies StoredResearch));
    return { code, journal };
  }

  /** @param step its number, from 1 on */
  async add(tx: Transaction, { code, journal }: ResearchJournal, step: number, change: ResearchStep): Promise<void> {
    await tx.query(
      `insert into ingestion.web_research_step (group_id, location_code, journal, step, change)
       values ($1, $2, $3, $4, $5::jsonb)`,
      [tx.groupId, code, journal, step, JSON.stringify(change)],
    );
  }

  async steps(tx: Transaction, { code, journal }: ResearchJournal): Promise<ResearchStep[]> {
    const rows = await tx.query<{ change: ResearchStep }>(
      `select change from ingestion.web_research_step
       where group_id = $1 and location_code = $2 and journal = $3 order by step`,
      [tx.groupId, code, journal],
    );
    return rows.map(({ change }) => change);
  }

  /** Deletes what a run that is over has stored. */
  async end(tx: Transaction, code: string): Promise<void> {
    await tx.query(`delete from ingestion.web_research_step where group_id = $1 and location_code = $2`, [
      tx.groupId,
      code,
    ]);
    await this.set(tx, code, null);
  }

  private async set(tx: Transaction, code: string, research: string | null): Promise<void> {
    await tx.query(`update ingestion.web_root set research = $3::jsonb where group_id = $1 and location_code = $2`, [
      tx.groupId,
      code,
      research,
    ]);
  }
}
