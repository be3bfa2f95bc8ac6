import { chmodSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Address and key under one name. */
export interface Profile {
  readonly url: string;
  readonly key: string;
}

interface Stored {
  readonly current: string;
  readonly profiles: Readonly<Record<string, Profile>>;
}

const OWNER_ONLY = 0o600;
const FOLDER_OF_OWNER = 0o700;

const isStored = (value: unknown): value is Stored =>
  typeof value === 'object' && value !== null && 'current' in value && 'profiles' in value;

/** The profiles of a user, in one file that the user alone may read. */
export class Profiles {
  constructor(private readonly folder: string) {}

  /** The profile of that name, else the one that was stored last. */
  find(name: string | undefined): Profile | undefined {
    const { current, profiles } = this.read();
    const wanted = name ?? current;
    return Object.hasOwn(profiles, wanted) ? profiles[wanted] : undefined;
  }

  /** Stores a profile and makes it the current one. The file is replaced whole. */
  store(name: string, profile: Profile): void {
    mkdirSync(this.folder, { recursive: true, mode: FOLDER_OF_OWNER });
    const profiles = { ...this.read().profiles, [name]: profile };
    const fresh = `${this.path}.${process.pid}`;
    writeFileSync(fresh, `${JSON.stringify({ current: name, profiles }, null, 2)}\n`, { mode: OWNER_ONLY });
    chmodSync(fresh, OWNER_ONLY);
    renameSync(fresh, this.path);
  }

  private get path(): string {
    return join(this.folder, 'profiles.json');
  }

  private read(): Stored {
    try {
      const stored: unknown = JSON.parse(readFileSync(this.path, 'utf8'));
      if (isStored(stored)) return stored;
    } catch (error) {
      if (!(error instanceof SyntaxError) && (error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return { current: 'default', profiles: {} };
  }
}
