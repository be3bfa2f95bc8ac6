import { services } from '@acervo/contracts';
import type { Installation } from './installation';

const TABLES = `select format('%I.%I', n.nspname, c.relname) as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where n.nspname = $1 and c.relforcerowsecurity`;

const alter = async (installation: Installation, how: 'enable' | 'disable'): Promise<void> => {
  for (const service of services)
    await installation.owner(service).ungrouped(async (tx) => {
      for (const { name } of await tx.query<{ name: string }>(TABLES, [service]))
        await tx.query(`alter table ${name} ${how} row level security`);
    });
};

/** Runs `work` while no table has row level security. */
export const withoutRowSecurity = async <T>(installation: Installation, work: () => Promise<T>): Promise<T> => {
  await alter(installation, 'disable');
  try {
    return await work();
  } finally {
    await alter(installation, 'enable');
  }
};
