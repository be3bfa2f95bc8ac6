import { isDeepStrictEqual } from 'node:util';
import { assignPlan, NotFound, type Plan } from '@acervo/contracts';
import { type AdminCommandContext, AdminCommandFailed } from '@acervo/platform-service';
import { PlanStore } from '../plans/plan.store';
import { plansIn } from './plan-file';

/** Field by field: a file may order them in its own way. */
const isEqual = (one: Plan, other: Plan): boolean =>
  isDeepStrictEqual(JSON.parse(JSON.stringify(one)), JSON.parse(JSON.stringify(other)));

/** Adds the plans of a file. A plan never changes: groups may have it. @throws AdminCommandFailed */
export const addPlans = async ({ database, value: file, print }: AdminCommandContext): Promise<void> => {
  const plans = await plansIn(file);
  const store = new PlanStore();
  await database.ungrouped(async (tx) => {
    for (const plan of plans) {
      await store.add(tx, plan);
      const stored = await store.find(tx, plan.code);
      if (stored === undefined || !isEqual(stored, plan))
        throw new AdminCommandFailed(
          `No plan of ${file} was added: ${plan.code} exists with other content. Give the new plan a code of its own.`,
        );
    }
  });
  print(`Plans: ${plans.map(({ code }) => code).join(', ')}. Assign one with --plan GROUP=CODE.`);
};

/** Gives a group a plan. @throws AdminCommandFailed for an unknown group or plan */
export const assign = async ({ calls, groups, value, print }: AdminCommandContext): Promise<void> => {
  const [groupCode = '', planCode = ''] = value.split(/=(.*)/s);
  if (groupCode === '' || planCode === '')
    throw new AdminCommandFailed('--plan takes the code of a group and that of a plan, as in --plan G1=BASIC.');
  const scope = await groups.named(groupCode);
  try {
    await calls.send(assignPlan, scope, { planCode });
  } catch (error) {
    if (!(error instanceof NotFound)) throw error;
    throw new AdminCommandFailed(`There is no plan ${planCode}; add it with --plans FILE.`);
  }
  print(`Group ${groupCode} has the plan ${planCode}. What it used in the running period stays counted.`);
};
