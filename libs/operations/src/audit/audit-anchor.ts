import { createHmac } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { AuditKeys } from './audit-keys';

/** The head of the chain of a group on a day: its last link then. */
export interface AnchoredHead {
  readonly groupId: string;
  /** In UTC, as YYYY-MM-DD. */
  readonly day: string;
  readonly number: number;
  readonly mac: Buffer;
}

/** What reading an anchor gives: the head that it proves, or why it proves none. */
export type ReadAnchor =
  | { readonly head: AnchoredHead }
  | { readonly flaw: 'FORGED' }
  | { readonly flaw: 'KEY_UNKNOWN'; readonly keyVersion: number };

interface Written {
  readonly group: string;
  readonly day: string;
  readonly number: number;
  readonly mac: string;
  readonly version: number;
  readonly signature: string;
}

const PURPOSE = 'audit anchor';

const parsed = (bytes: Buffer): Partial<Written> => {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'));
    return typeof value === 'object' && value !== null ? value : {};
  } catch {
    return {};
  }
};

const isWhole = (written: Partial<Written>): written is Written =>
  [written.group, written.day, written.mac, written.signature].every((text) => typeof text === 'string') &&
  [written.number, written.version].every((number) => Number.isSafeInteger(number));

/** Signs audit anchors: HMAC-SHA-256 with a key of its own purpose, derived from a version of the audit key. */
@Injectable()
export class AuditAnchors {
  constructor(private readonly keys: AuditKeys) {}

  /** The signed head as the bytes of an object. */
  signed(head: AnchoredHead): Buffer {
    const { groupId: group, day, number, mac } = head;
    const { version } = this.keys;
    const signature = this.signature(head, version).toString('hex');
    const written: Written = { group, day, number, mac: mac.toString('hex'), version, signature };
    return Buffer.from(`${JSON.stringify(written)}\n`);
  }

  read(bytes: Buffer): ReadAnchor {
    const written = parsed(bytes);
    if (!isWhole(written)) return { flaw: 'FORGED' };
    const { group: groupId, day, number, version } = written;
    if (!this.keys.has(version)) return { flaw: 'KEY_UNKNOWN', keyVersion: version };
    const head = { groupId, day, number, mac: Buffer.from(written.mac, 'hex') };
    const isGenuine = this.signature(head, version).equals(Buffer.from(written.signature, 'hex'));
    return isGenuine ? { head } : { flaw: 'FORGED' };
  }

  private signature({ groupId, day, number, mac }: AnchoredHead, version: number): Buffer {
    const content = JSON.stringify([groupId, day, number, mac.toString('hex')]);
    return createHmac('sha256', this.keys.derive(PURPOSE, version)).update(content).digest();
  }
}
