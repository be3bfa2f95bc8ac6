import { createHmac, timingSafeEqual } from 'node:crypto';
import { Conflict, CrossesCalls } from '@acervo/contracts';
import type { VersionedSecret } from '@acervo/platform-config';
import type { Scope } from '@acervo/rbac';

const LIFE_MS = 600_000;

/** What a preview counted is not so any more, or was counted too long ago, or for another request. */
@CrossesCalls
export class PreviewOutdated extends Conflict {
  constructor() {
    super('The preview does not hold any more; ask for another one.');
  }
}

/** What is previewed: for whom, what, and what it would touch. */
export interface Previewed {
  readonly scope: Scope;
  readonly code: string;
  readonly input: object;
  readonly counts: object;
}

/** Objects are written with their names in order, so that equal ones are equal texts. */
const canonical = (value: unknown): string =>
  JSON.stringify(value, (_key, held: unknown) =>
    typeof held === 'object' && held !== null && !Array.isArray(held)
      ? Object.fromEntries(Object.entries(held).toSorted(([one], [other]) => (one < other ? -1 : 1)))
      : held,
  );

const PURPOSE = 'operation previews';

/** Tokens that bind a confirmation to what was previewed: an HMAC over caller, focus, input and counts, for ten minutes. */
export class PreviewTokens {
  constructor(
    private readonly keys: VersionedSecret,
    private readonly now: () => number = Date.now,
  ) {}

  issue(previewed: Previewed): string {
    const until = this.now() + LIFE_MS;
    return `${this.keys.version}.${until}.${this.sign(previewed, this.keys.version, until)}`;
  }

  /** @throws PreviewOutdated */
  check(token: string, previewed: Previewed): void {
    const [, version, until, signature] = /^(\d{1,4})\.(\d{1,15})\.([\w-]{43})$/.exec(token) ?? [];
    if (version === undefined || until === undefined || signature === undefined) throw new PreviewOutdated();
    const expected = Buffer.from(this.sign(previewed, Number(version), Number(until)));
    const genuine = timingSafeEqual(expected, Buffer.from(signature));
    if (!genuine || Number(until) < this.now()) throw new PreviewOutdated();
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
