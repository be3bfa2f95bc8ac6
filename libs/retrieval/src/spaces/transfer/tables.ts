import type { transferredSpaces } from '@acervo/contracts';
import type { TransferTable } from '@acervo/platform-database';
import { lacksOperand } from '../../space-members/definition-sql';

/** The largest rows list 5,000 documents. */
const SPACES_OF_A_PAGE = 50;
/** Each page reads all members: as few pages as a call allows. */
const MEMBERS_OF_A_PAGE = 500;

/**
 * The tables of a group's spaces and of its quota that are transferred. A space keeps its number, so that expressions
 * and links stay valid; its list names documents by ids, which are transferred too. It is gathered again in the target
 * installation. Members are transferred only where nothing would gather them again.
 */
export const spaceTables: readonly (TransferTable & { readonly name: (typeof transferredSpaces)[number] })[] = [
  { name: 'space_counter', key: ['group_id'] },
  {
    name: 'space',
    key: ['space_id'],
    // Transactions and versions of one database mean nothing in another.
    omit: ['refreshed_in', 'operand_versions'],
    instead: {
      version: `case when ${lacksOperand('t')} then t.version else 0 end`,
      requested: `case when ${lacksOperand('t')} then t.version else 0 end`,
      refreshed_at: `case when ${lacksOperand('t')} then t.refreshed_at end`,
    },
    pageRows: SPACES_OF_A_PAGE,
  },
  {
    name: 'space_member',
    key: ['space_id', 'version', 'document_id'],
    only: `(t.space_id, t.version) in (
      select s.space_id, s.version from retrieval.space s where s.group_id = $1 and ${lacksOperand('s')})`,
    pageRows: MEMBERS_OF_A_PAGE,
  },
  // The target installation numbers its assignments from 1.
  { name: 'allowance', key: ['group_id'], instead: { plan_revision: '0' } },
  { name: 'retrieval_count', key: ['period_start', 'entity_code'] },
];

/** Tables that are not transferred. */
export const leftBehind = [
  // Made again from the files.
  'document',
  'location',
  'live',
  'chunk',
  'embedding_space',
  'lexical_index',
  'bucket_catalogue',
  'task',
  'taking',
  'export_page',
] as const;
