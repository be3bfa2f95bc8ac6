import { createHash } from 'node:crypto';
import { Injectable } from '@nestjs/common';
import type { Question } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';

/** How long the answer of a key is found by it. */
const MEMORY = '24 hours';

/** A question under an idempotency key of one credential. */
export interface AskedRequest {
  readonly credentialId: string;
  readonly key: string;
  readonly question: Question;
}

const sha256 = (text: string): Buffer => createHash('sha256').update(text, 'utf8').digest();

const hashOf = ({ question, conversationId, functionCode, locationCode, mode }: Question): Buffer =>
  sha256(JSON.stringify([question, conversationId ?? null, functionCode ?? null, locationCode ?? null, mode]));

/** Which answer a key asked for. Keys and questions are stored as hashes. */
@Injectable()
export class AskedRequestStore {
  /** Remembers the answer of a request, and forgets those of old ones. */
  async remember(tx: Transaction, { credentialId, key, question }: AskedRequest, messageId: number): Promise<void> {
    await this.deleteExpired(tx);
    await tx.query(
      `insert into chat.asked_request (group_id, credential_id, request_key, question_hash, message_id)
       values ($1, $2, $3, $4, $5) on conflict (group_id, credential_id, request_key)
       do update set question_hash = $4, message_id = $5, asked_at = now()`,
      [tx.groupId, credentialId, sha256(key), hashOf(question), messageId],
    );
  }

  async deleteExpired(tx: Transaction): Promise<void> {
    await tx.query(`delete from chat.asked_request where group_id = $1 and asked_at < now() - interval '${MEMORY}'`, [
      tx.groupId,
    ]);
  }

  /** The answer of a key, and whether the key asked this question; undefined for a key without an answer. */
  async find(
    tx: Transaction,
    { credentialId, key, question }: AskedRequest,
  ): Promise<{ readonly messageId: number; readonly isSame: boolean } | undefined> {
    const [row] = await tx.query<{ messageId: number; isSame: boolean }>(
      `select message_id as "messageId", question_hash = $4 as "isSame" from chat.asked_request
       where group_id = $1 and credential_id = $2 and request_key = $3`,
      [tx.groupId, credentialId, sha256(key), hashOf(question)],
    );
    return row;
  }
}
