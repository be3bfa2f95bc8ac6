import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A value that must appear nowhere but where it was shown. */
export interface Secret {
  /** What it is, for messages that do not repeat it. */
  readonly kind: string;
  readonly value: string;
}

/** Shorter values occur by chance. */
const LEAST = 8;
/** Tokens and keys: what stands before the last underscore is public. */
const LOCATED = /^ac[a-z]_[0-9A-Za-z]+_([0-9A-Za-z]{27,33})$/;
/** The length of the secret in a token; a key appends a checksum. */
const SECRET_LENGTH = 27;

/** The part of a value that alone makes it valid. */
const essenceOf = (value: string): string => LOCATED.exec(value)?.[1]?.slice(0, SECRET_LENGTH) ?? value;

/** A value within longer base64, whatever stands before it: the characters that depend on it alone. */
const alignments = (bytes: Buffer): string[] =>
  [0, 1, 2].map((before) => {
    const whole = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const bits = 8 * (before + bytes.length);
    return whole.slice(Math.ceil((8 * before) / 6), Math.floor(bits / 6));
  });

const inUrls = (text: string): string => text.replaceAll('+', '-').replaceAll('/', '_');

/** A value in the forms in which a store or a line may contain it: as it is, in base64, in hexadecimal. */
export const formsOf = (value: string): readonly string[] => {
  const bytes = Buffer.from(value);
  const hex = bytes.toString('hex');
  const encoded = alignments(bytes);
  return [...new Set([value, ...encoded, ...encoded.map(inUrls), hex, hex.toUpperCase()])];
};

interface Needle {
  readonly kind: string;
  readonly bytes: Buffer;
}

/** Bytes by which needles are looked up. */
const PREFIX = 4;

/** Finds secrets in texts and files. The time depends on the size of the content, not on the number of secrets. */
export class SecretFinder {
  private readonly needles = new Map<number, Needle[]>();
  /** Whether any needle begins with two bytes. */
  private readonly beginnings = new Uint8Array(0x10000);

  constructor(secrets: readonly Secret[]) {
    for (const { kind, value } of secrets)
      for (const form of formsOf(essenceOf(value))) this.add({ kind, bytes: Buffer.from(form) });
  }

  /** The kinds of the secrets in a content. */
  kindsIn(content: string | Buffer): string[] {
    const bytes = typeof content === 'string' ? Buffer.from(content) : content;
    const found = new Set<string>();
    for (let place = 0; place <= bytes.length - PREFIX; place += 1) {
      if (this.beginnings[(bytes[place] ?? 0) | ((bytes[place + 1] ?? 0) << 8)] === 0) continue;
      for (const { kind, bytes: needle } of this.needles.get(bytes.readUInt32LE(place)) ?? [])
        if (bytes.compare(needle, 0, needle.length, place, Math.min(place + needle.length, bytes.length)) === 0)
          found.add(kind);
    }
    return [...found];
  }

  private add(needle: Needle): void {
    if (needle.bytes.length < PREFIX) return;
    this.beginnings[needle.bytes.readUInt16LE(0)] = 1;
    const prefix = needle.bytes.readUInt32LE(0);
    this.needles.set(prefix, [...(this.needles.get(prefix) ?? []), needle]);
  }
}

/** Names of fields in bodies whose values are secrets. */
const FIELDS = /"(password|token|access_token|refresh_token|api_key|secret|device_token)"\s*:\s*"([^"\\]{8,})"/g;
const CODED = /establecer-clave#(\S+)/g;
/** Variables and stored settings whose values are secrets; paths are not. */
const SETTING = /(PASSWORD|PEPPER|SECRET|TOKEN|KEY|HEADERS)S?$/i;

/** The secrets that a suite sent, received or configured. */
export class KnownSecrets {
  private readonly kinds = new Map<string, string>();

  get all(): readonly Secret[] {
    return [...this.kinds].map(([value, kind]) => ({ kind, value }));
  }

  add(kind: string, value: string): void {
    // The first kind says most: a key that is sent later is a credential like any other.
    if (value.length >= LEAST && !this.kinds.has(value)) this.kinds.set(value, kind);
  }

  /** Secrets in the body of a request or an answer. */
  addFrom(body: string): void {
    for (const [, field = '', value = ''] of body.matchAll(FIELDS)) this.add(field, value);
  }

  /** The tokens of the links in the mails of a data directory. */
  addMails(data: string): void {
    const folder = join(data, 'mail');
    for (const text of contentsOf(folder))
      for (const [, token = ''] of text.matchAll(CODED)) this.add('mail link', token);
  }

  /** The values of settings that are secrets, each version of them. */
  addSettings(settings: Readonly<Record<string, unknown>>): void {
    for (const [name, value] of Object.entries(settings)) {
      if (typeof value === 'object' && value !== null) this.addSettings(value as Readonly<Record<string, unknown>>);
      else if (typeof value === 'string' && SETTING.test(name) && !value.startsWith('/'))
        for (const part of value.split(/[,\n]/)) this.add(name, part.replace(/^\d{1,4}:/, ''));
    }
  }

  /** The secrets that a start generated for its data directory. */
  addGenerated(data: string): void {
    for (const text of contentsOf(data, 'secrets.json'))
      for (const [name, value] of Object.entries(JSON.parse(text) as Record<string, unknown>))
        this.addSettings({ [`${name}_SECRET`]: value });
  }
}

/** The contents of the files of a folder, or of one of them; none where there is no such folder. */
const contentsOf = (folder: string, only?: string): string[] => {
  try {
    const names = readdirSync(folder, { withFileTypes: true }).filter((entry) => entry.isFile());
    const read = names.filter(({ name }) => only === undefined || name === only);
    return read.map(({ name }) => readFileSync(join(folder, name), 'utf8'));
  } catch {
    return [];
  }
};
