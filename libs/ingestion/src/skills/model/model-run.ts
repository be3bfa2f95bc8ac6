import { Injectable } from '@nestjs/common';
import { estimatedTokens } from '@acervo/models/chat';
import { Failpoints } from '@acervo/platform-messaging';
import { type Lease, Tasks, WorkSignals } from '@acervo/platform-queue';
import { ChatConfig } from '@acervo/platform-service';
import type { WorkScope } from '@acervo/rbac';
import { Cpu } from '../../cpu/cpu';
import { LeaseRenewal } from '../../kernel/lease-renewal';
import { RUN_SKILL } from '../../kernel/stages';
import type { StoredResult } from '../citations';
import { CITE_ANSWERS, type SliceAnswer } from './cite-answers';
import { OthersWait } from './model-failures';
import { ANSWER_TOKENS, type AnswerForm, ModelReading } from './model-reading';
import { RunProgress, stageOf } from './run-progress';
import type { SkillModel } from './skill-models';
import { SLICE_TEXT, type SlicedText } from './slice-text';

/** Characters of a slice, whatever a model accepts: one answer has to have room for what it finds. */
const MOST_OF_SLICE = 24_000;
const LEAST_OF_SLICE = 2_000;
/** Tokens of a request beside prompt, data and answer: the schema, the fence, and an answer that is to be repaired. */
const AROUND_TOKENS = 3_000;
const CHARACTERS_A_TOKEN = 3;

/** A run of a skill over a text by a model. */
export interface ModelRun extends SkillModel {
  readonly lease: Lease;
  /** Names the result; what an interrupted run has read under it is not read again. */
  readonly key: string;
  /** The extracted text, as it is stored. */
  readonly text: Uint8Array;
  readonly stopping: AbortSignal;
  /** No user waits for it: it leaves its slot to other work between two slices. */
  readonly isBackground: boolean;
  /** Statements with quotes where it is absent. */
  readonly form?: AnswerForm;
  /** The documents that the text quotes; absent for the text of a document, which takes its run with it. */
  readonly documentIds?: readonly string[];
  /** Slices that are read, from the first; all of them where it is absent. */
  readonly mostSlices?: number;
}

/** The answers of an interrupted run that belong to these slices. */
const begun = (earlier: readonly SliceAnswer[], slices: readonly SlicedText[]): SliceAnswer[] => {
  const differing = earlier.findIndex(
    ({ slice }, place) => slice.start !== slices[place]?.start || slice.end !== slices[place].end,
  );
  return earlier.slice(0, differing < 0 ? earlier.length : differing);
};

/** Has a model read a text slice by slice, and keeps what stands in it. */
@Injectable()
export class ModelRuns {
  constructor(
    private readonly tasks: Tasks,
    private readonly progress: RunProgress,
    private readonly cpu: Cpu,
    private readonly reading: ModelReading,
    private readonly config: ChatConfig,
    private readonly signals: WorkSignals,
    private readonly failpoints: Failpoints,
  ) {}

  /** @throws ChatModelFailure, AnswerWithheld, OthersWait; LeaseLost as soon as another worker has the run */
  async result(scope: WorkScope, run: ModelRun): Promise<StoredResult> {
    const { text, kind } = run;
    return this.cpu.run(CITE_ANSWERS, { text, answers: await this.answers(scope, run), kind });
  }

  /** What the model answers of each slice. @throws as `result` */
  async answers(scope: WorkScope, run: ModelRun): Promise<readonly SliceAnswer[]> {
    const renewal = new LeaseRenewal(this.tasks, [run.lease], stageOf(run.lease).leaseSeconds);
    try {
      return await this.answered(scope, run, renewal.progress);
    } finally {
      await renewal.close();
    }
  }

  /** @param answered is called after each answer */
  private async answered(scope: WorkScope, run: ModelRun, answered: () => void): Promise<readonly SliceAnswer[]> {
    const { text, key, lease, mostSlices, documentIds } = run;
    const quoted = documentIds === undefined ? {} : { documentIds };
    const all = await this.cpu.run(SLICE_TEXT, { text, most: this.sliceOf(run) });
    const slices = all.slice(0, mostSlices);
    const answers = begun(await this.progress.answers(scope, lease, key), slices);
    for (const [place, slice] of slices.entries()) {
      if (place < answers.length) continue;
      answers.push(await this.answer(scope, run, slice, [place + 1, slices.length]));
      answered();
      await this.progress.keep(scope, lease, { key, answers, ...quoted });
      this.failpoints.hit('skill.kept');
      if (run.isBackground && place + 1 < slices.length) await this.leaveToOthers();
    }
    return answers;
  }

  /** @throws OthersWait where other work waits for the slot */
  private async leaveToOthers(): Promise<void> {
    if (await this.signals.anyWaits(RUN_SKILL.name)) throw new OthersWait();
  }

  /** Characters of a slice that fit into a request beside everything else. */
  private sliceOf({ prompt }: SkillModel): number {
    const tokens = this.config.chatContextTokens - ANSWER_TOKENS - AROUND_TOKENS - estimatedTokens(prompt.text);
    return Math.min(MOST_OF_SLICE, Math.max(LEAST_OF_SLICE, tokens * CHARACTERS_A_TOKEN));
  }

  private async answer(
    { groupId }: WorkScope,
    { model, prompt, purpose, stopping, form }: ModelRun,
    { text, start, end }: SlicedText,
    [part, parts]: readonly [number, number],
  ): Promise<SliceAnswer> {
    const asked = form === undefined ? {} : { form };
    const reading = { groupId, model, prompt, purpose, text, part, parts, ...asked, signal: stopping };
    return { slice: { start, end }, statements: await this.reading.read(reading) };
  }
}
