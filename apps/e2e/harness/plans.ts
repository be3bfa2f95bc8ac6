import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { AdminCommandRequest } from '@acervo/platform-service/admin-commands';
import { freePort, Program, temporary } from './program';

export interface PlanRequest {
  readonly code: string;
  /** How much it includes of each feature; what is beyond is refused. */
  readonly included: Readonly<Record<string, number>>;
  /** Runs admin commands to their end; answers what they printed. */
  readonly run: (commands: readonly AdminCommandRequest[]) => Promise<string>;
}

/** Runs admin commands of the program on its data directory, also beside one that runs. */
export const commandsOn =
  (data: string): PlanRequest['run'] =>
  async (commands) => {
    const program = Program.run({ folder: null, data, port: await freePort(), commands });
    if ((await program.ended) !== 0) throw new Error(`An admin command failed:\n${program.printed}`);
    return program.printed;
  };

/** Gives the first group a plan. @throws with what was printed where it has not got it */
export const assignPlan = async ({ code, included, run }: PlanRequest): Promise<void> => {
  const place = temporary();
  try {
    const file = join(place.path, 'plans.json');
    const quotas = Object.entries(included).map(([feature, most]) => ({ feature, included: most, on_limit: 'BLOCK' }));
    writeFileSync(file, JSON.stringify([{ code, quotas }]));
    const printed = await run([
      { name: 'plans', value: file },
      { name: 'plan', value: `G1=${code}` },
    ]);
    if (!printed.includes(`has the plan ${code}`)) throw new Error(`The group has no plan ${code}:\n${printed}`);
  } finally {
    place.remove();
  }
};
