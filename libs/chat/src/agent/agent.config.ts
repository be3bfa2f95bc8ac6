import { Setting } from '@acervo/platform-config';

/** What an agent should not exceed while it works on one question; the built-in loop ends there. */
export class AgentConfig {
  @Setting({
    env: 'ACERVO_AGENT_ITERATIONS',
    default: 8,
    min: 1,
    max: 100,
    description:
      'Rounds of the model for one question: a hint to agents, and where a model that answers questions with tools ends',
  })
  readonly maxIterations!: number;
  @Setting({
    env: 'ACERVO_AGENT_RETRIEVALS',
    default: 6,
    min: 1,
    max: 100,
    description: 'Searches for one question, with the same effect; each counts against the quota RETRIEVALS',
  })
  readonly maxRetrievalCalls!: number;
  @Setting({
    env: 'ACERVO_AGENT_SECONDS',
    default: 60,
    min: 1,
    max: 3_600,
    description: 'Seconds for one question, with the same effect; less where the caller of the question waits less',
  })
  readonly timeoutSeconds!: number;
}
