import { type AuditVerdict, type FlawedAnchor, verifyAudit } from '@acervo/contracts';
import type { Calls } from '@acervo/platform-calls';
import type { Print } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';

const ofLinks = ({ links, broken }: AuditVerdict): string =>
  broken === null
    ? `Audit: ${links} records, each as it was written.`
    : `Audit: record ${broken} is not what was written, or is missing; the ${links} before it are whole. Compare it with a backup.`;

/** Nothing for a group without records and anchors. */
const ofAnchors = ({ links, anchors, lastAnchor }: AuditVerdict): readonly string[] => {
  if (lastAnchor !== null)
    return [
      `Audit: ${anchors} signed heads in the object store agree; records up to ${lastAnchor.number} (${lastAnchor.day}) are confirmed.`,
    ];
  return links === 0
    ? []
    : [
        'Audit: no signed head in the object store confirms these records, so that a cut at the end would not be noticed. The first one follows the next record.',
      ];
};

const ofFlaw = ({ flaw, object, names, keyVersion }: FlawedAnchor): string => {
  const head = `the signed head of ${names?.day ?? 'a day'}`;
  if (flaw === 'KEY_UNKNOWN')
    return `Audit: ${object} was signed with version ${keyVersion} of ACERVO_AUDIT_KEY, which is not set. Add it again, and repeat the check.`;
  if (flaw === 'FORGED')
    return `Audit: ${object} is no signed head of this group, or was changed. Compare it with a backup of the bucket.`;
  return flaw === 'RECORD_MISSING'
    ? `Audit: ${head} names record ${names?.number}, which is missing.`
    : `Audit: ${head} names another record ${names?.number} than the one that is there.`;
};

/** An attacker who deletes anchors leaves records that should have one. */
const ofUnconfirmed = ({ unconfirmed }: AuditVerdict): readonly string[] =>
  unconfirmed == null
    ? []
    : [
        `Audit: no signed head confirms record ${unconfirmed.number} (${unconfirmed.day}) and those after it, two days later. Signed heads were deleted or not written, or the records arrived late. Compare the bucket with a backup; look for anchor-audit in the log.`,
      ];

const isOfRecords = ({ flaw }: FlawedAnchor): boolean => flaw === 'RECORD_MISSING' || flaw === 'RECORD_DIFFERS';

/** From which record and day the chain is not the one that was anchored. */
const ofLoss = ({ flawed, lastAnchor, links }: AuditVerdict): readonly string[] => {
  const first = flawed.find(isOfRecords);
  if (first === undefined) return [];
  const { day, number } = first.names ?? { day: '', number: 0 };
  const what =
    first.flaw === 'RECORD_MISSING' ? `records ${links + 1} to ${number} are missing` : 'records were replaced';
  const confirmed = lastAnchor === null ? 'no record is confirmed' : `the last confirmed one is ${lastAnchor.number}`;
  return [
    `Audit: ${what}; ${confirmed}. On ${day} or later the end was cut, or an older copy was restored. Compare it with a backup.`,
  ];
};

/** Lines of flaws that are printed; the first ones tell where to look. */
const MOST_LINES = 20;

/**
 * Checks the chain of audit records of a group and its signed heads; prints and returns whether every record is there
 * and unchanged.
 */
export const verifyAuditIn = async (calls: Calls, scope: WorkScope, print: Print): Promise<boolean> => {
  const verdict = await calls.send(verifyAudit, scope, {});
  const flaws = verdict.flawed.slice(0, MOST_LINES).map(ofFlaw);
  for (const line of [ofLinks(verdict), ...ofAnchors(verdict), ...flaws, ...ofLoss(verdict), ...ofUnconfirmed(verdict)])
    print(line);
  return verdict.broken === null && verdict.flawed.length === 0 && verdict.unconfirmed == null;
};
