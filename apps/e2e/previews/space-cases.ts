import { lost, of, type Row, type PreviewCase } from './evidence';

const isComposedOf =
  (spaceId: unknown) =>
  ({ expression }: Row): boolean => {
    const { spaceIdA, spaceIdB } = (expression ?? {}) as Readonly<Record<string, unknown>>;
    return [spaceIdA, spaceIdB].includes(spaceId);
  };

/** The administrator sees the papers of the first entity of each state. */
const isVisible = ({ entity_code }: Row): boolean => String(entity_code).endsWith('E0');

export const spaceDeletion: PreviewCase = {
  // Every second space: the others keep entities from being deleted. The first one twice: what is gone has no preview.
  inputs: (_state, { spaces }) =>
    [...spaces.filter((_, index) => index % 2 === 0), ...spaces.slice(0, 1)].map((space_id) => ({ space_id })),
  done: (outcome) => {
    const { input, before, after } = outcome;
    const isOwn = of('space_id', input['space_id']);
    const members = before['retrieval.space_member'].filter(isOwn).map(({ document_id }) => document_id);
    const papers = before['retrieval.document'].filter(({ document_id }) => members.includes(document_id));
    return {
      ...{ ...input, documents: papers.filter(isVisible).length },
      composed_spaces:
        lost(outcome, 'retrieval.space') === 1 && lost(outcome, 'retrieval.space', isOwn) === 1
          ? after['retrieval.space'].filter(isComposedOf(input['space_id'])).length
          : -1,
    };
  },
};
