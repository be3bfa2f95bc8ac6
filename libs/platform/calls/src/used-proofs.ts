import { FrameRefused } from './errors';
import type { Proof } from './proof';

/**
 * The ids of proofs that a process has admitted, until the proofs expire: who reads a call on the network cannot send it
 * again. In memory; audited writes also store the id, so that they have one effect over all processes of a service.
 */
export class UsedProofs {
  /** When each id is forgotten, in milliseconds. Proofs live equally long, so the oldest stand first. */
  private readonly ids = new Map<string, number>();

  constructor(private readonly now: () => number = Date.now) {}

  get size(): number {
    return this.ids.size;
  }

  /** Programs of the last release send proofs without an id. @throws FrameRefused for a proof that was used before */
  use({ caller, id, validUntil }: Proof): void {
    if (id === undefined) return;
    this.forget();
    const name = `${caller}:${id}`;
    if (this.ids.has(name)) throw new FrameRefused('its proof was used before');
    this.ids.set(name, validUntil);
  }

  private forget(): void {
    const now = this.now();
    for (const [name, until] of this.ids) {
      if (until >= now) return;
      this.ids.delete(name);
    }
  }
}
