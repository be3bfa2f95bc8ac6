import { randomUUID } from 'node:crypto';
import { ScopeClaims } from '@acervo/contracts';
import { Scope } from '@acervo/rbac';

/** The id of a group that no other test has. */
export const newGroup = (): string => randomUUID();

const USER = randomUUID();

/** An administrator of a group, without a focus, who sees every folder; `claims` replace some of this. */
export const administratorOf = (groupId: string, claims: Partial<ScopeClaims> = {}): Scope =>
  new Scope(
    Object.assign(new ScopeClaims(), {
      ...{ groupId, userId: USER, profile: 'ADMINISTRADOR', functions: [], entities: ['E1'] },
      ...{ activeEntity: null, effectiveArea: null, locationRoots: null },
      ...claims,
    }),
    'token',
  );
