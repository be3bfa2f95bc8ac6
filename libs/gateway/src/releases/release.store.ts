import { Injectable } from '@nestjs/common';
import type { ClientRelease, CloudRelease } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

export type Release = CloudRelease | ClientRelease;

/** The table of one kind of releases; its columns by property, beside those of every kind. */
export interface ReleaseTable<R extends Release> {
  readonly name: 'cloud_release' | 'client_release';
  readonly columns: Readonly<Record<Exclude<keyof R, 'version' | 'notes' | 'publishedAt'> & string, string>>;
}

export const CLOUD: ReleaseTable<CloudRelease> = {
  name: 'cloud_release',
  columns: { oldestClient: 'oldest_client', commit: 'commit' },
};
export const CLIENT: ReleaseTable<ClientRelease> = {
  name: 'client_release',
  columns: {
    ...{ oldestCompatible: 'oldest_compatible', isMandatory: 'is_mandatory' },
    ...{ macosUrl: 'macos_url', windowsUrl: 'windows_url' },
  },
};

const columnsOf = <R extends Release>({ columns }: ReleaseTable<R>): [string, string][] => Object.entries(columns);

const selectFrom = <R extends Release>(table: ReleaseTable<R>): string => {
  const columns = columnsOf(table).map(([property, column]) => `${column} as "${property}"`);
  return `select ${['version', 'notes', 'published_at as "publishedAt"', ...columns].join(', ')} from gateway.${table.name}`;
};

const releaseOf = <R extends Release>(row: (R & { readonly publishedAt: Date | string }) | undefined): R | undefined =>
  row && { ...row, publishedAt: new Date(row.publishedAt).toISOString() };

/** Published releases; a version is written once. */
@Injectable()
export class ReleaseStore {
  /** The newest release by semantic version, pre-releases aside. */
  async newest<R extends Release>(tx: Transaction, table: ReleaseTable<R>): Promise<R | undefined> {
    const [row] = await tx.query<R>(
      `${selectFrom(table)} where not is_pre_release order by major desc, minor desc, patch desc limit 1`,
    );
    return releaseOf(row);
  }

  async find<R extends Release>(tx: Transaction, table: ReleaseTable<R>, version: string): Promise<R | undefined> {
    const [row] = await tx.query<R>(`${selectFrom(table)} where version = $1`, [version]);
    return releaseOf(row);
  }

  /** Inserts a release, unless its version is there. */
  async insert<R extends Release>(tx: Transaction, table: ReleaseTable<R>, release: R): Promise<void> {
    const columns = columnsOf(table);
    const [numbers = '', ...preRelease] = release.version.split('-');
    const values = [
      release.version,
      ...numbers.split('.').map(Number),
      preRelease.length > 0,
      release.publishedAt,
      release.notes,
      ...columns.map(([property]) => Reflect.get(release, property) as unknown),
    ];
    await tx.query(
      `insert into gateway.${table.name} (version, major, minor, patch, is_pre_release, published_at, notes,
         ${columns.map(([, column]) => column).join(', ')})
       values (${values.map((_value, index) => `$${index + 1}`).join(', ')}) on conflict (version) do nothing`,
      values,
    );
  }
}
