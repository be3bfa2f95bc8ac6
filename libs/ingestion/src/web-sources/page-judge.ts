import { Injectable } from '@nestjs/common';
import { ChatModel, ChatModelFailure, type ComposedPrompt, composePrompt, fencedData } from '@acervo/models/chat';
import { AcquisitionPrompts } from '../acquisition/acquisition-prompts';
import { isUnsaid, SkillModels } from '../skills/model/skill-models';
import type { Candidate } from '../web/research-state';
import { type ExplainedCandidate, explained, type JudgedPage, judgementOf, readJudgement } from './page-judgement';
import type { WebRun } from './web-run';

const SKILL = 'ACQUISITION-WEB';
/** Pages that are shown to a model, the first by the ranking of the product, and those of one request. */
const [MOST_JUDGED, AT_ONCE] = [60, 20];
const ANSWER_TOKENS = 3_000;
const ANSWER_MS = 45_000;
const MOST_SHOWN = 1_000;

/** What a model is asked about. */
interface Judged extends Pick<WebRun, 'scope' | 'root' | 'stopping'> {
  readonly topic: string;
  readonly candidates: readonly Candidate[];
}

interface Chosen {
  readonly model: string;
  readonly prompt: ComposedPrompt;
}

const shown = ({ url, title, excerpt }: Candidate, place: number): string => {
  const data = [`url: ${url}`, `title: ${title}`, `excerpt: ${excerpt}`].join('\n');
  return fencedData(`page ${place + 1}`, data, MOST_SHOWN).text;
};

const questionOf = (topic: string, candidates: readonly Candidate[]): string =>
  [
    fencedData('subject of the folder', topic, MOST_SHOWN).text,
    ...candidates.map(shown),
    'Say of the pages above which deserve to be kept, how much, and why in one sentence without addresses, in the language of the subject. Answer with JSON of the schema alone. Leave out the other pages.',
  ].join('\n\n');

/** Has a chat model rank and explain pages that research found, where the group has one. */
@Injectable()
export class PageJudge {
  constructor(
    private readonly model: ChatModel,
    private readonly models: SkillModels,
    private readonly prompts: AcquisitionPrompts,
  ) {}

  /** The candidates with the reasons of a model; null where the ranking of the product stays as it is. */
  async judge(asked: Judged): Promise<ExplainedCandidate[] | null> {
    try {
      const chosen = await this.choose(asked);
      return chosen === null ? null : explained(asked.candidates, await this.answers(asked, chosen));
    } catch (error) {
      // Research waits neither for a model nor for a service that does not say which one the group has.
      if (error instanceof ChatModelFailure || isUnsaid(error)) return null;
      throw error;
    }
  }

  private async choose({ scope: { groupId }, root }: Judged): Promise<Chosen | null> {
    const model = await this.models.modelOf(groupId);
    if (model === null) return null;
    return { model, prompt: composePrompt(await this.prompts.layers(groupId, root.entityCode, SKILL)) };
  }

  private async answers(asked: Judged, chosen: Chosen): Promise<ReadonlyMap<string, JudgedPage>> {
    const judged = new Map<string, JudgedPage>();
    const first = asked.candidates.slice(0, MOST_JUDGED);
    for (let from = 0; from < first.length; from += AT_ONCE)
      for (const [url, page] of await this.answer(asked, chosen, first.slice(from, from + AT_ONCE)))
        judged.set(url, page);
    return judged;
  }

  /** @throws ChatModelFailure, UNUSABLE for an answer of another form */
  private async answer(
    { scope, root, topic, stopping }: Judged,
    { model, prompt }: Chosen,
    candidates: readonly Candidate[],
  ): Promise<ReadonlyMap<string, JudgedPage>> {
    const { text, finish } = await this.model.complete({
      ...{ group: scope.groupId, model, maxTokens: ANSWER_TOKENS, timeoutMs: ANSWER_MS, signal: stopping },
      purpose: { code: SKILL, entityCode: root.entityCode, layers: prompt.layers },
      messages: [
        { role: 'system', content: prompt.text },
        { role: 'user', content: questionOf(topic, candidates) },
      ],
      answer: judgementOf(candidates.map(({ url }) => url)),
    });
    const judged = finish === 'withheld' ? undefined : readJudgement(text, candidates);
    if (judged === undefined) throw new ChatModelFailure('UNUSABLE');
    return judged;
  }
}
