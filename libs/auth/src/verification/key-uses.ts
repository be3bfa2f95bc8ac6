import { Injectable, type OnModuleDestroy } from '@nestjs/common';
import { BackgroundDatabase } from '@acervo/platform-database';
import { Logger } from '@acervo/platform-observability';
import { CoalescingRunner, RecentAnswers } from '@acervo/platform-resilience';
import { CredentialStore } from '../credentials/credential.store';

const HOUR_MS = 3_600_000;
/** Keys whose note is remembered; beyond, the one noted first is noted again. */
const MOST_KEYS = 10_000;

/**
 * Notes the day of the last use of API keys, beside the requests: at most one note an hour for each key and process, one
 * statement at a time for all keys of a group. A note that fails is made with a use of the next hour.
 */
@Injectable()
export class KeyUses implements OnModuleDestroy {
  private readonly recent = new RecentAnswers<void>(HOUR_MS, MOST_KEYS);
  /** Key ids by group. */
  private readonly waiting = new Map<string, Set<string>>();
  private readonly runner = new CoalescingRunner(() => this.write());

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly credentials: CredentialStore,
    private readonly logger: Logger,
  ) {}

  /** Returns at once. */
  note(groupId: string, keyId: string): void {
    void this.recent.get(`${groupId} ${keyId}`, () => {
      const keys = this.waiting.get(groupId) ?? new Set<string>();
      this.waiting.set(groupId, keys.add(keyId));
      this.runner.trigger();
      return Promise.resolve();
    });
  }

  async onModuleDestroy(): Promise<void> {
    await this.runner.stop();
  }

  private async write(): Promise<void> {
    for (const [groupId, keys] of this.waiting) {
      this.waiting.delete(groupId);
      try {
        await this.database.write({ groupId }, (tx) => this.credentials.noteUse(tx, [...keys]));
      } catch (error) {
        this.logger.warn({ error }, 'the last use of keys was not noted; their next use of another hour is');
      }
    }
  }
}
