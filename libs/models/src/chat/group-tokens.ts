import { ChatModelFailure } from './chat.errors';

const MINUTE_MS = 60_000;

interface Bucket {
  /** Tokens that are left; below zero after an answer that took more than was reserved. */
  left: number;
  at: number;
}

/** What a request took; further reports do nothing. */
export type Settle = (tokens: number) => void;

/**
 * Limits the tokens per minute of each group. A request reserves its estimate and settles what it took. A group that
 * has used up its tokens is refused with the wait that helps; other groups are not affected.
 */
export class GroupTokens {
  private readonly buckets = new Map<string, Bucket>();

  constructor(
    private readonly perMinute: number,
    private readonly now: () => number = () => performance.now(),
  ) {}

  /**
   * Reserves tokens. A request above the limit of a minute passes when the bucket is full.
   * @throws ChatModelFailure QUOTA
   */
  reserve(group: string, tokens: number): Settle {
    this.forgetFull();
    const bucket = this.refilled(group);
    const needed = Math.min(tokens, this.perMinute);
    if (bucket.left < needed) {
      const waitMs = Math.ceil(((needed - bucket.left) / this.perMinute) * MINUTE_MS);
      throw new ChatModelFailure('QUOTA', 'limit of tokens of the group', waitMs);
    }
    this.buckets.set(group, bucket);
    bucket.left -= tokens;
    let isOpen = true;
    return (took) => {
      if (isOpen) bucket.left += tokens - took;
      isOpen = false;
    };
  }

  /** Groups whose tokens are not all back. */
  get size(): number {
    return this.buckets.size;
  }

  private refilled(group: string): Bucket {
    const now = this.now();
    const bucket = this.buckets.get(group) ?? { left: this.perMinute, at: now };
    bucket.left = Math.min(this.perMinute, bucket.left + ((now - bucket.at) / MINUTE_MS) * this.perMinute);
    bucket.at = now;
    return bucket;
  }

  private forgetFull(): void {
    for (const group of this.buckets.keys())
      if (this.refilled(group).left >= this.perMinute) this.buckets.delete(group);
  }
}
