import { call, Code, Text } from '@acervo/contracts';
import type { Installation } from './installation';
import type { Operation, Received, Values } from './operations';
import { slotsOf } from './shapes';
import type { Group } from './tenants';

/** Input of a planted operation. */
class PlantedRequest {
  @Code({ names: 'document', description: 'Document code' }) readonly documentCode!: string;
}

/** Input of a planted operation without a row in the table of kinds. */
class UnknownRequest {
  @Code({ description: 'Something new' }) readonly gadgetCode!: string;
}

class PlantedAnswer {
  @Text({ max: 10, description: 'Nothing' }) readonly note!: string;
}

const answer = (status: string, note: string, sent: string): Received => ({
  ...{ succeeded: status === '200', status, compared: `${status} ${note}`, sent },
});

type Ask = (code: string) => Promise<Received>;

const operation = (name: string, ask: Ask, more: Partial<Operation> = {}): Operation => ({
  ...{ kind: 'call', name, writes: false, writesTo: 'ingestion', by: 'administrator', doors: ['session'] },
  slots: slotsOf(PlantedRequest).map((slot) => ({ ...slot, place: 'input' })),
  ask: (values: Values) => ask(String([...values.values()][0])),
  ...more,
});

/** Operations with deliberate mistakes, each with the words of its expected report. */
export const plantsIn = (
  installation: Installation,
  { ownGroup, other }: { readonly ownGroup: Group; readonly other: Group },
): (readonly [Operation, RegExp])[] => {
  const database = installation.owner('ingestion');
  const named = async (groups: readonly Group[], code: string): Promise<string | undefined> => {
    for (const group of groups) {
      const [row] = await database.read(group, (tx) =>
        tx.query<{ name: string }>('select name from ingestion.document where group_id = $1 and code = $2', [
          group.groupId,
          code,
        ]),
      );
      if (row !== undefined) return row.name;
    }
    return undefined;
  };
  const look = async (groups: readonly Group[], code: string, note: (name: string) => string): Promise<Received> => {
    const name = await named(groups, code);
    return name === undefined ? answer('404', '', code) : answer('200', note(name), code);
  };
  const rename = async (code: string): Promise<Received> => {
    const found = await named([ownGroup], code);
    await database.write(other, (tx) =>
      tx.query('update ingestion.document set summary = summary || $3 where group_id = $1 and code = $2', [
        other.groupId,
        code,
        '!',
      ]),
    );
    return answer(found === undefined ? '404' : '200', '', code);
  };
  const unknown = slotsOf(UnknownRequest).map((slot) => ({ ...slot, place: 'input' as const }));
  return [
    [
      operation('planted.looks_everywhere', (code) => look([ownGroup, other], code, () => '')),
      /answers 200 to what another/,
    ],
    [operation('planted.tells', (code) => look([other, ownGroup], code, (name) => name)), /words of another group/],
    [operation('planted.writes', rename, { writes: true }), /changes ingestion.document of another group/],
    [operation('planted.refuses', (code) => look([], code, String)), /refuses what is the asker's own/],
    [operation('planted.unknown', (code) => look([ownGroup], code, String), { slots: unknown }), /of an unknown kind/],
  ];
};

/** Declares a Call that no service answers. */
export const plantCall = (): string =>
  call({
    ...{ code: 'planted.call', owner: 'retrieval', effect: 'read', scope: 'user', callers: ['gateway'] },
    ...{ input: UnknownRequest, output: PlantedAnswer },
  }).code;
