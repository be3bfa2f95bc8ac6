import { createHmac, timingSafeEqual } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import { Conflict, CrossesCalls } from '@acervo/contracts';
import type { Scope } from '@acervo/rbac';
import { AuditKeys } from '../audit/audit-keys';

const LIFE_MS = 600_000;

/** The counts of a preview are stale or expired, or belong to another request. */
@CrossesCalls
export class PreviewOutdated extends Conflict {
  constructor() {
    super('The preview is no longer valid; request another one.');
  }
}

/** The content of a preview: its caller, its input and the counts of what it would change. */
export interface Previewed {
  readonly scope: Scope;
  readonly code: string;
  readonly input: object;
  readonly counts: object;
}

/** JSON with sorted names, so that equal objects are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );

const PURPOSE = 'operation previews';

/**
 * Tokens that bind a confirmation to its preview: an HMAC over caller, focus, input and counts, valid for ten minutes.
 */
@Injectable()
export class PreviewTokens {
  constructor(private readonly keys: AuditKeys) {}

  issue(previewed: Previewed): string {
    const until = Date.now() + LIFE_MS;
    return `${this.keys.version}.${until}.${this.sign(previewed, this.keys.version, until)}`;
  }

  /** @throws PreviewOutdated */
  check(token: string, previewed: Previewed): void {
    const [, version, until, signature] = /^(\d{1,4})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
    if (version === undefined || until === undefined || signature === undefined) throw new PreviewOutdated();
    const expected = Buffer.from(this.sign(previewed, Number(version), Number(until)));
    const genuine = timingSafeEqual(expected, Buffer.from(signature));
    if (!genuine || Number(until) < Date.now()) throw new PreviewOutdated();
  }

  private sign({ scope, code, input, counts }: Previewed, version: number, until: number): string {
    const { groupId, userId, credentialId, activeEntity, effectiveArea } = scope;
    const text = canonical([until, groupId, userId, credentialId, activeEntity, effectiveArea, code, input, counts]);
    return createHmac('sha256', this.keyOf(version)).update(text).digest('base64url');
  }

  private keyOf(version: number): Buffer {
    if (!this.keys.has(version)) throw new PreviewOutdated();
    return this.keys.derive(PURPOSE, version);
  }
}
