import { CountedUser, decode, encode, Unavailable, UserDependents, userDependents } from '@acervo/contracts';
import type { CallServer, Dispatch } from '@acervo/platform-calls';

/** Counts answers of users in place of operations. The tests of operations cover its own answers. */
export class StoredAnswers implements Pick<CallServer, 'dispatch'> {
  /** By address. */
  readonly answers = new Map<string, number>();
  isAway = false;

  dispatch({ code, input }: Dispatch): Promise<Record<string, unknown>> {
    if (this.isAway) return Promise.reject(new Unavailable('operations is away.'));
    if (code !== userDependents.operations.code) return Promise.reject(new Error(`${code} is unexpected.`));
    const user = decode(CountedUser, input, { closed: true });
    const dependencies = [{ kind: 'respuestas_guardadas', count: this.answers.get(user.code) ?? 0 }];
    return Promise.resolve(encode(UserDependents, { dependencies }));
  }
}
