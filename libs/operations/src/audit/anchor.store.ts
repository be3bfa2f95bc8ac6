import { Injectable, type OnModuleInit } from '@nestjs/common';
import { EngineDown } from '@acervo/contracts';
import type { TenantScope } from '@acervo/platform-database';
import { derivedObjectKey, kindPrefix, ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import { type AnchoredHead, AuditAnchors, type ReadAnchor } from './audit-anchor';

const KIND = 'audit-anchor';
const PAGE = 500;
/** Objects that are read at a time. */
const AT_ONCE = 8;

const digitsOf = (day: string): string => day.replaceAll('-', '');

/** The key of an anchor: keys of one group stand in the order of their days and numbers. */
const keyOf = ({ groupId, day, number }: AnchoredHead): string =>
  derivedObjectKey({ groupId }, KIND, `${digitsOf(day)}${number.toString(16).padStart(24, '0')}`);

/** An anchor with its key. */
export interface StoredAnchor {
  readonly key: string;
  readonly read: ReadAnchor;
}

/** The audit anchors of each group, as objects that are created once and never replaced. */
@Injectable()
export class AnchorStore implements OnModuleInit {
  constructor(
    private readonly objects: ObjectStore,
    private readonly anchors: AuditAnchors,
  ) {}

  /** @throws ObjectStoreUnusable, and the service does not start */
  onModuleInit(): Promise<void> {
    return this.objects.assertWritable();
  }

  /** Stores the signed head. The same head stored twice is one anchor. */
  async create(head: AnchoredHead): Promise<void> {
    await this.objects.create(head, keyOf(head), this.anchors.signed(head));
  }

  /** Deletes an anchor where the store lets it; a superseded one that stays does no harm. */
  async drop(group: TenantScope, { key }: StoredAnchor): Promise<void> {
    await this.objects.delete(group, key).catch((error: unknown) => {
      if (error instanceof EngineDown) throw error;
    });
  }

  /** All anchors of a group from a day on, in order, page by page. */
  async *pages({ groupId }: TenantScope, since = ''): AsyncIterable<readonly StoredAnchor[]> {
    let after = `${kindPrefix({ groupId }, KIND)}${digitsOf(since)}`;
    for (;;) {
      const page = await this.objects.page({ groupId }, KIND, { after, limit: PAGE });
      const keys = page.map(({ key }) => key);
      for (let from = 0; from < keys.length; from += AT_ONCE)
        yield await this.readAll({ groupId }, keys.slice(from, from + AT_ONCE));
      after = keys.at(-1) ?? after;
      if (page.length < PAGE) return;
    }
  }

  private async readAll(group: TenantScope, keys: readonly string[]): Promise<StoredAnchor[]> {
    const read = await Promise.all(keys.map((key) => this.read(group, key)));
    return read.flatMap((anchor) => anchor ?? []);
  }

  /** Undefined for an anchor that a later one of its day replaced meanwhile. */
  private async read(group: TenantScope, key: string): Promise<StoredAnchor | undefined> {
    try {
      const read = this.anchors.read(await this.objects.get(group, key));
      // An anchor under another key than its own is a copy.
      const isOwn = !('head' in read) || (read.head.groupId === group.groupId && keyOf(read.head) === key);
      return { key, read: isOwn ? read : { flaw: 'FORGED' } };
    } catch (error) {
      if (error instanceof ObjectMissing) return undefined;
      throw error;
    }
  }
}
