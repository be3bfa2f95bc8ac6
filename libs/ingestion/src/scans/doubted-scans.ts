import { Injectable } from '@nestjs/common';
import { processRequested } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import { Outbox } from '@acervo/platform-messaging';
import type { Root } from '../locations/location.store';
import type { ScanSummary } from './scan-summary';

/** Asks for a person where a scan doubts that most documents of a folder are gone. */
@Injectable()
export class DoubtedScans {
  constructor(private readonly outbox: Outbox) {}

  async report(tx: Transaction, { code, name, entityCode }: Root, { doubted }: ScanSummary): Promise<void> {
    if (doubted === 0) return;
    await this.outbox.append(tx, processRequested, {
      ...{ processType: 'INGESTA', subject: `doubted:${code}`, priority: 'ALTA', entityCode },
      name: `Check the missing documents of ${name}`.slice(0, 200).toWellFormed(),
      description: `${doubted} documents went missing at once and were kept. Accept the deletions if they are meant; otherwise check the disk.`,
    });
  }
}
