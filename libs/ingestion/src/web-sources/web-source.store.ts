import { Injectable } from '@nestjs/common';
import { InvalidMeaning, type WebCandidate, type WebCandidates, type WebDecision } from '@acervo/contracts';
import type { Transaction } from '@acervo/platform-database';
import type { ExplainedCandidate } from './page-judgement';
import type { StoredResearch } from './research-journal';

/** What a web location is about, and how far its research is. */
export interface WebSource {
  readonly startUrls: readonly string[];
  readonly topic: string;
  /** Null unless a run of research is not over. */
  readonly research: StoredResearch | null;
}

/** Where a page of a list begins: behind this candidate. */
export interface CandidatePlace {
  readonly score: number;
  readonly url: string;
}

export interface CandidateQuery {
  readonly code: string;
  readonly decision: WebDecision | undefined;
  readonly after: CandidatePlace | null;
  readonly limit: number;
}

interface Row extends Omit<WebCandidate, 'why'> {
  /** The reason of a model. */
  readonly why: string | null;
  readonly terms: readonly string[];
  readonly isPublic: boolean;
}

/** Decisions of one request: addresses that are canonical, and patterns with asterisks. */
export interface Decided {
  readonly decision: 'APPROVED' | 'REJECTED';
  readonly addresses: readonly string[];
  readonly patterns: readonly string[];
}

const LONGEST = { title: 300, excerpt: 300, why: 500 } as const;
const WITHOUT_DECISION = 'UNDECIDED';

const cut = (text: string, most: number): string => text.slice(0, most).toWellFormed();

const whyOf = ({ why, terms, isPublic }: Row): string => {
  if (isPublic) return 'It was added by its address.';
  if (why !== null) return why;
  if (terms.length === 0) return 'Its meaning is near that of the topic.';
  return cut(`It names words of the topic: ${terms.join(', ')}.`, LONGEST.why);
};

/** An asterisk stands for any characters; every other character stands for itself. */
const likeOf = (pattern: string): string => pattern.replace(/[\\%_]/g, '\\$&').replace(/\*+/g, '%');

/** Web locations: what they look for, what was found, and what people decided about it. */
@Injectable()
export class WebSourceStore {
  /** Records what a new root looks for. */
  async add(tx: Transaction, code: string, { startUrls, topic }: Omit<WebSource, 'research'>): Promise<void> {
    await tx.query(
      `insert into ingestion.web_root (group_id, location_code, start_urls, topic) values ($1, $2, $3, $4)
       on conflict (group_id, location_code) do nothing`,
      [tx.groupId, code, startUrls, topic],
    );
  }

  /** Undefined for a root that is a folder. */
  async find(tx: Transaction, code: string): Promise<WebSource | undefined> {
    const [row] = await tx.query<WebSource>(
      `select start_urls as "startUrls", topic, research from ingestion.web_root
       where group_id = $1 and location_code = $2`,
      [tx.groupId, code],
    );
    return row;
  }

  /** @throws InvalidMeaning for a root that is a folder */
  async assertWeb(tx: Transaction, code: string): Promise<void> {
    if ((await this.find(tx, code)) === undefined) throw new InvalidMeaning(['location_code']);
  }

  /** Lists what research found; answers how many pages are new. What was decided stays. */
  async addCandidates(tx: Transaction, code: string, candidates: readonly ExplainedCandidate[]): Promise<number> {
    const rows = candidates.map(({ url, title, language, score, excerpt, terms, why }) => ({
      ...{ url, title: cut(title, LONGEST.title), language, score, excerpt: cut(excerpt, LONGEST.excerpt), terms },
      why: why === null ? null : cut(why, LONGEST.why),
    }));
    const written = await tx.query<{ isNew: boolean }>(
      `insert into ingestion.web_page as p (group_id, location_code, url, title, language, score, excerpt, terms, why)
       select $1, $2, url, title, language, score, excerpt, terms, why
       from jsonb_to_recordset($3::jsonb) as given (url text, title text, language text, score double precision,
         excerpt text, terms text[], why text)
       on conflict (group_id, location_code, url) do update set title = excluded.title, language = excluded.language,
         score = excluded.score, excerpt = excluded.excerpt, terms = excluded.terms, why = excluded.why
       returning old.url is null as "isNew"`,
      [tx.groupId, code, JSON.stringify(rows)],
    );
    return written.filter(({ isNew }) => isNew).length;
  }

  /** Applies decisions to listed pages; an approved address that is not listed becomes a public document. */
  async decide(tx: Transaction, code: string, { decision, addresses, patterns }: Decided): Promise<void> {
    if (decision === 'APPROVED' && addresses.length > 0)
      await tx.query(
        `insert into ingestion.web_page (group_id, location_code, url, is_public)
         select $1, $2, url, true from unnest($3::text[]) as given (url) on conflict do nothing`,
        [tx.groupId, code, addresses],
      );
    await tx.query(
      `update ingestion.web_page set decision = $3, decided_at = now()
       where group_id = $1 and location_code = $2 and decision is distinct from $3
         and (url = any($4::text[]) or url like any($5::text[]))`,
      [tx.groupId, code, decision, addresses, patterns.map(likeOf)],
    );
  }

  /** One page by score, the nearest ones to the topic first; one row more than the limit where there are more. */
  async list(tx: Transaction, { code, decision, after, limit }: CandidateQuery): Promise<WebCandidate[]> {
    const rows = await tx.query<Row>(
      `select url, title, language, least(1, greatest(0, score)) as score, excerpt, terms, why, is_public as "isPublic", problem,
         coalesce(decision, '${WITHOUT_DECISION}') as decision
       from ingestion.web_page where group_id = $1 and location_code = $2
         and ($3::text is null or coalesce(decision, '${WITHOUT_DECISION}') = $3)
         and ($4::float8 is null or score < $4 or (score = $4 and url > $5))
       order by score desc, url limit $6`,
      [tx.groupId, code, decision ?? null, after?.score ?? null, after?.url ?? null, limit],
    );
    return rows.map(({ terms, isPublic, ...row }) => ({ ...row, why: whyOf({ ...row, terms, isPublic }) }));
  }

  async counts(tx: Transaction, code: string): Promise<Pick<WebCandidates, 'approved' | 'rejected' | 'undecided'>> {
    const [row] = await tx.query<Pick<WebCandidates, 'approved' | 'rejected' | 'undecided'>>(
      `select count(*) filter (where decision = 'APPROVED')::int as approved,
         count(*) filter (where decision = 'REJECTED')::int as rejected,
         count(*) filter (where decision is null)::int as undecided
       from ingestion.web_page where group_id = $1 and location_code = $2`,
      [tx.groupId, code],
    );
    return row ?? { approved: 0, rejected: 0, undecided: 0 };
  }
}
