import { Injectable } from '@nestjs/common';
import { SUMMARY_LENGTH } from '@acervo/analysis';
import { Telemetry } from '@acervo/platform-observability';
import type { Scope } from '@acervo/rbac';
import { COLLECTED } from '../retrieval.metrics';
import { COUNTED_CHUNKS } from './document-size';
import type { DocumentSize, Excerpt } from './excerpt-rule';
import { Received } from './received';

/** The log names a user at every such number of collected documents. */
const LOGGED_EACH = 50;

/** A chunk with its place in the extracted text. */
interface PlacedChunk {
  readonly start: number;
}

/** Characters of the whole document, estimated from its first chunks where only those are counted. */
const wholeOf = ({ chunkCount, characters }: DocumentSize): number =>
  characters * Math.max(1, chunkCount / COUNTED_CHUNKS);

/** Shows who puts documents together from many answers: no single answer gives most of a text. */
@Injectable()
export class CollectionWatch {
  private readonly received = new Received();
  private readonly collected;

  constructor(private readonly telemetry: Telemetry) {
    this.collected = telemetry.metrics.counter(COLLECTED);
  }

  add(scope: Scope, documentId: string, size: DocumentSize, passages: readonly Excerpt<PlacedChunk>[]): void {
    const characters = wholeOf(size);
    if (characters <= SUMMARY_LENGTH) return;
    const ranges = passages.map(({ chunk, offset, text }) => {
      const start = chunk.start + offset;
      return { start, end: start + text.length };
    });
    const { groupId, userId, credentialId } = scope;
    const receipt = { user: `${groupId} ${userId}`, document: documentId, characters, ranges };
    const documents = this.received.add(receipt, Date.now());
    if (documents === 0) return;
    this.collected.inc();
    if (documents % LOGGED_EACH === 0)
      this.telemetry.logger.warn({ userId, credentialId, documents }, 'a user collects documents from many answers');
  }
}
