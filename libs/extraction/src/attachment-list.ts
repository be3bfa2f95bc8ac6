import { LimitExceeded } from './errors';
import type { Attachment, ReadLimits } from './reader';
import { oneLine } from './text-builder';

const LONGEST_NAME = 200;
const ENDING = /\.[A-Za-z0-9]{1,16}$/;
const PLAIN_SUBTYPE = /^[a-z0-9]{1,8}$/;

/** The last part of a name, without folders, control characters and characters that file names exclude. */
const baseName = (name: string): string => {
  const base = oneLine(name.split(/[\\/]/).at(-1) ?? '').replace(/[\p{Cc}\p{Cf}<>:"|?*]/gu, '');
  if (/^\.*$/.test(base)) return '';
  const ending = ENDING.exec(base)?.[0] ?? '';
  return base.slice(0, base.length - ending.length).slice(0, LONGEST_NAME) + ending;
};

/** Attachments of one mail, each under a unique name. */
export class AttachmentList {
  readonly items: Attachment[] = [];
  /** Names in lower case, each with the number of its next copy. */
  private readonly nextCopies = new Map<string, number>();

  constructor(private readonly limits: Pick<ReadLimits, 'entries'>) {}

  /** @param kind media type, which names an attachment without a name. */
  add(name: string | null | undefined, kind: string, bytes: Buffer): void {
    if (this.items.length >= this.limits.entries) throw new LimitExceeded('attachments', this.limits.entries);
    this.items.push({ name: this.freeName(baseName(name ?? '') || this.unnamed(kind)), bytes });
  }

  private unnamed(kind: string): string {
    if (kind === 'message/rfc822') return 'message.eml';
    const subtype = kind.split('/')[1] ?? '';
    const ending = subtype === 'plain' ? 'txt' : subtype;
    return `attachment${PLAIN_SUBTYPE.test(ending) ? `.${ending}` : ''}`;
  }

  /** The name itself, or its first free copy. Each copy is tried once, so equal names take linear time. */
  private freeName(name: string): string {
    const key = name.toLowerCase();
    const ending = ENDING.exec(name)?.[0] ?? '';
    const stem = name.slice(0, name.length - ending.length);
    let free = name;
    let copy = this.nextCopies.get(key) ?? 2;
    for (; this.nextCopies.has(free.toLowerCase()); copy += 1) free = `${stem} (${copy})${ending}`;
    if (free !== name) this.nextCopies.set(key, copy);
    this.nextCopies.set(free.toLowerCase(), 2);
    return free;
  }
}
