import type { RouteDescription } from '@acervo/platform-http';

export const showsUsage: RouteDescription = {
  summary: 'Show the plan of the group, and what is used of its quotas',
  description:
    '`used` is that of the whole group; `by_entity` lists the entities in the scope of the caller, and null for what belongs to none. `included` is null without a limit. At BLOCK, searches answer 402, further documents wait as SUMMARIZED with the reason QUOTA, and no chat model is asked. MODEL_TOKENS stands where a chat model is configured.',
  example: {
    answer: {
      plan_code: 'BASIC',
      period_start: '2026-11-01',
      period_end: '2026-11-30',
      quotas: [
        {
          feature: 'ACTIVE_CORPUS',
          unit: 'pages',
          included: 50_000,
          used: 312,
          on_limit: 'ALLOW',
          by_entity: [{ entity_code: 'E1', used: 312 }],
        },
        {
          feature: 'RETRIEVALS',
          unit: 'calls',
          included: 10_000,
          used: 41,
          on_limit: 'BLOCK',
          by_entity: [
            { entity_code: 'E1', used: 40 },
            { entity_code: null, used: 1 },
          ],
        },
        {
          feature: 'MODEL_TOKENS',
          unit: 'tokens',
          included: 2_000_000,
          used: 48_210,
          on_limit: 'BLOCK',
          by_entity: [
            { entity_code: 'E1', used: 48_210 },
            { entity_code: null, used: 0 },
          ],
        },
      ],
    },
  },
};
