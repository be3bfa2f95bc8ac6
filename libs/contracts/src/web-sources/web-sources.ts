import { Choice, Fraction, Int, ListOf, Text, TextList } from '../fields';
import { RootReference, RunReference } from '../ingestion/queue';
import { operation } from '../operation';

/** What a person decided about a page; undecided pages are only listed. */
export const webDecisions = ['UNDECIDED', 'APPROVED', 'REJECTED'] as const;
export type WebDecision = (typeof webDecisions)[number];

/** Addresses or patterns that one request decides about. */
const MOST_DECISIONS = 200;
export const LONGEST_ADDRESS = 2_048;

export class WebReview extends RootReference {
  @TextList({
    max: MOST_DECISIONS,
    length: LONGEST_ADDRESS,
    optional: true,
    description:
      'Addresses to approve. An asterisk stands for any characters, and such a pattern concerns listed pages alone; an address that no research found is added as a public document',
  })
  readonly approve?: readonly string[];
  @TextList({
    max: MOST_DECISIONS,
    length: LONGEST_ADDRESS,
    optional: true,
    description: 'Addresses or patterns to reject; the documents of rejected pages leave search',
  })
  readonly reject?: readonly string[];
  @Choice(webDecisions, { publicly: 'same', optional: true, description: 'Only pages with this decision' })
  readonly decision?: WebDecision;
  @Int({ min: 1, max: 200, default: 50, description: 'Most pages to return' }) readonly limit!: number;
  @Text({ min: 1, max: 4_096, optional: true, description: 'Cursor of the page, from the page before' })
  readonly cursor?: string;
}

/** A page of the web that became, or may become, a document. */
export class WebCandidate {
  @Text({ max: LONGEST_ADDRESS, description: 'Canonical address' }) readonly url!: string;
  @Text({ max: 300, description: 'Title that the page gives itself; empty where it is unknown' })
  readonly title!: string;
  @Text({ max: 12, nullable: true, description: 'Language of the page; null where it was not recognised' })
  readonly language!: string | null;
  @Fraction({ description: 'How near the page is to the topic, among the pages of its research' })
  readonly score!: number;
  @Text({ max: 300, description: 'The sentence that names most of the topic' }) readonly excerpt!: string;
  @Text({ max: 500, description: 'Why the page is listed' }) readonly why!: string;
  @Choice(webDecisions, { publicly: 'same', description: 'What a person decided' }) readonly decision!: WebDecision;
  @Text({ max: 300, nullable: true, description: 'Why the page could not be fetched the last time; null where it was' })
  readonly problem!: string | null;
}

export class WebCandidates extends RootReference {
  @ListOf(() => WebCandidate, { max: 200, description: 'Pages, the nearest ones to the topic first' })
  readonly candidates!: readonly WebCandidate[];
  @Int({ description: 'Pages that are approved' }) readonly approved!: number;
  @Int({ description: 'Pages that are rejected' }) readonly rejected!: number;
  @Int({ description: 'Pages without a decision' }) readonly undecided!: number;
  @Text({ max: 4_096, nullable: true, description: 'Where the next page begins; null on the last one' })
  readonly nextCursor!: string | null;
}

const published = {
  owner: 'ingestion',
  kind: 'write',
  profile: 'ADMINISTRADOR',
  screens: ['DOC_LOCATIONS'],
} as const;

/** Looks for pages about the topic of a web location. While a run of it is open, answers that one. */
export const researchWeb = operation({
  ...published,
  code: 'locations.research_web',
  summary: 'Look for pages about the topic of a web location, from its start pages on.',
  input: RootReference,
  output: RunReference,
});
/** Without decisions it only lists. Decisions stay, also over further research. */
export const reviewWeb = operation({
  ...published,
  code: 'locations.review_web',
  summary: 'List the pages that research found, and approve or reject some by address or pattern.',
  input: WebReview,
  output: WebCandidates,
});
/** Fetches approved pages. An unchanged one costs one request and no further work. */
export const materializeWeb = operation({
  ...published,
  code: 'locations.materialize_web',
  summary: 'Fetch the approved pages of a web location, which become documents.',
  input: RootReference,
  output: RunReference,
});
