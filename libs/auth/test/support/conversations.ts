import { CountedUser, decode, encode, UserDependents, userDependents } from '@acervo/contracts';
import type { CallServer, Dispatch } from '@acervo/platform-calls';

/** Counts conversations in place of chat. The tests of chat cover its own answers. */
export class Conversations implements Pick<CallServer, 'dispatch'> {
  /** Of users, by address. */
  readonly ofUsers = new Map<string, number>();
  /** Users who are counted in other groups too. */
  readonly system = new Set<string>();

  dispatch({ code, input }: Dispatch): Promise<Record<string, unknown>> {
    if (code !== userDependents.chat.code) return Promise.reject(new Error(`${code} is unexpected.`));
    const user = decode(CountedUser, input, { closed: true });
    if (user.isSystem === true) this.system.add(user.code);
    const dependencies = [{ kind: 'conversaciones', count: this.ofUsers.get(user.code) ?? 0 }];
    return Promise.resolve(encode(UserDependents, { dependencies }));
  }
}
