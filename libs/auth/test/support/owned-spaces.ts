import {
  CountedUser,
  countSpacesOfEntity,
  decode,
  encode,
  SpaceCount,
  SpacesOfEntity,
  UserDependents,
  userDependents,
} from '@acervo/contracts';
import type { CallServer, Dispatch } from '@acervo/platform-calls';

interface Owned {
  readonly areas: number;
  readonly shared: number;
}

/** Counts spaces in place of retrieval. The tests of retrieval cover its own answers. */
export class OwnedSpaces implements Pick<CallServer, 'dispatch'> {
  /** Of users, by address. */
  readonly ofUsers = new Map<string, Owned>();
  readonly ofEntities = new Map<string, number>();

  dispatch({ code, input }: Dispatch): Promise<Record<string, unknown>> {
    if (code === countSpacesOfEntity.code) {
      const { entityCode } = decode(SpacesOfEntity, input, { closed: true });
      return Promise.resolve(encode(SpaceCount, { spaces: this.ofEntities.get(entityCode) ?? 0 }));
    }
    if (code !== userDependents.retrieval.code) return Promise.reject(new Error(`${code} is unexpected.`));
    const { areas, shared } = this.ofUsers.get(decode(CountedUser, input, { closed: true }).code) ?? NONE;
    const dependencies = [
      { kind: 'areas_de_trabajo', count: areas },
      { kind: 'espacios_compartidos', count: shared },
    ];
    return Promise.resolve(encode(UserDependents, { dependencies }));
  }
}

const NONE: Owned = { areas: 0, shared: 0 };
