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
      name: `Revisar los documentos ausentes de ${name}`.slice(0, 200).toWellFormed(),
      description: `Faltan ${doubted} documentos de golpe y se han conservado. Si se borraron a propósito, hay que aceptar las ausencias; si no, hay que comprobar el disco.`,
    });
  }
}
