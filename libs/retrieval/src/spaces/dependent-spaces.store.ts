import { Injectable } from '@nestjs/common';
import type { NamedCodes } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { SpaceOwnership } from '../space-members/space-access';

/** Spaces that depend on an entity, a document type or a feature. */
@Injectable()
export class DependentSpacesStore {
  async countOfEntity(tx: Transaction, entityCode: string): Promise<number> {
    const [row] = await tx.query<{ spaces: number }>(
      `select count(*)::int as spaces from retrieval.space where group_id = $1 and entity_code = $2`,
      [tx.groupId, entityCode],
    );
    return row?.spaces ?? 0;
  }

  /** The spaces whose criteria name one of the codes: what decides who sees each. */
  naming(tx: Transaction, { documentTypes, attributes, characteristics }: NamedCodes): Promise<SpaceOwnership[]> {
    return tx.query<SpaceOwnership>(
      `select s.type, s.entity_code as "entityCode", s.owner_id as "ownerId" from retrieval.space s
       where s.group_id = $1 and (s.criteria -> 'documentTypes' ?| $2::text[]
         or s.criteria -> 'attributes' ?| $3::text[] or s.criteria -> 'characteristics' ?| $4::text[])`,
      [tx.groupId, documentTypes, attributes, characteristics],
    );
  }
}
