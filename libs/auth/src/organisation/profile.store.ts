import { Injectable } from '@nestjs/common';
import type { OrganizationPart } from '@acervo/contracts';
import { onlyRow, type Transaction } from '@acervo/platform-database';

/** Texts to write; what is absent stays. */
export interface Texts {
  readonly description?: string | undefined;
  readonly systemPrompt?: string | undefined;
}

const PART = `code, name, description, system_prompt as "systemPrompt"`;
const WRITTEN = `description = coalesce($2, description), system_prompt = coalesce($3, system_prompt)`;

/** The profile texts of the group and its entities. */
@Injectable()
export class ProfileStore {
  async group(tx: Transaction): Promise<OrganizationPart> {
    return onlyRow(
      await tx.query<OrganizationPart>(`select ${PART} from auth.tenant_group where group_id = $1`, [tx.groupId]),
    );
  }

  /** @throws NotFound */
  async entity(tx: Transaction, code: string): Promise<OrganizationPart> {
    return onlyRow(
      await tx.query<OrganizationPart>(`select ${PART} from auth.entity where group_id = $1 and code = $2`, [
        tx.groupId,
        code,
      ]),
    );
  }

  async writeGroup(tx: Transaction, { description, systemPrompt }: Texts): Promise<void> {
    await tx.query(`update auth.tenant_group set ${WRITTEN} where group_id = $1`, [
      tx.groupId,
      description ?? null,
      systemPrompt ?? null,
    ]);
  }

  /** @throws NotFound */
  async writeEntity(tx: Transaction, code: string, { description, systemPrompt }: Texts): Promise<void> {
    onlyRow(
      await tx.query(`update auth.entity set ${WRITTEN} where group_id = $1 and code = $4 returning code`, [
        tx.groupId,
        description ?? null,
        systemPrompt ?? null,
        code,
      ]),
    );
  }
}
