import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { AuditRecord } from '@acervo/contracts';
import { AuditKeys } from './audit-keys';

/** The content of a link: a record and its place in the chain of its group. */
export interface LinkContent {
  readonly groupId: string;
  readonly number: number;
  readonly record: AuditRecord;
}

const PURPOSE = 'audit chain';
/** What the first link of a chain follows. */
export const BEGINNING: Buffer = Buffer.alloc(32);

/** Signs links: HMAC-SHA-256 over the previous link and the content of this one, with the key of a version. */
@Injectable()
export class AuditChain {
  constructor(private readonly keys: AuditKeys) {}

  get version(): number {
    return this.keys.version;
  }

  seal(before: Buffer, { groupId, number, record }: LinkContent, version = this.version): Buffer {
    const { recordId, call, outcome, error, actor, cause, caller, at, subject = null, target = null } = record;
    // Links from before these two fields were recorded have neither, and are signed without them.
    const concern = subject === null && target === null ? [] : [subject, target];
    const fields = [groupId, number, recordId, call, outcome, error, actor, cause, caller, at, ...concern];
    const content = JSON.stringify(fields);
    return createHmac('sha256', this.keys.derive(PURPOSE, version)).update(before).update(content).digest();
  }

  /** Whether a link is unchanged since it was sealed; false for a key version that is no longer known. */
  fits(before: Buffer, content: LinkContent, version: number, mac: Buffer): boolean {
    return this.keys.has(version) && this.seal(before, content, version).equals(mac);
  }
}
