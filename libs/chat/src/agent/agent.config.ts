import { Setting } from '@acervo/platform-config';

/** What an agent should not exceed while it works on one question. */
export class AgentConfig {
  @Setting({
    env: 'ACERVO_AGENT_ITERATIONS',
    default: 8,
    min: 1,
    max: 100,
    description: 'Rounds of the model that an agent should need for one question',
  })
  readonly maxIterations!: number;
  @Setting({
    env: 'ACERVO_AGENT_RETRIEVALS',
    default: 6,
    min: 1,
    max: 100,
    description: 'Searches that an agent should need for one question; each counts against the quota RETRIEVALS',
  })
  readonly maxRetrievalCalls!: number;
  @Setting({
    env: 'ACERVO_AGENT_SECONDS',
    default: 60,
    min: 1,
    max: 3_600,
    description: 'Seconds that an agent should need for one question',
  })
  readonly timeoutSeconds!: number;
}
