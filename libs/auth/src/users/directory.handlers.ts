import { Injectable } from '@nestjs/common';
import {
  type AddressReleased,
  type DirectoryPage,
  type DirectoryPageRequest,
  type DirectoryUsers,
  listAllUsers,
  MOST_LISTED,
  pageAllUsers,
  releaseAddress,
  type UserReference,
  type UserSearch,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { assertSystem } from '../kernel/authority';
import { Directory } from '../accounts/directory';
import { wholeList } from '../kernel/auth.errors';
import { UserStore } from '../accounts/user.store';

/** Users of all groups, for SYSTEM users. */
@Injectable()
export class DirectoryHandlers {
  constructor(
    private readonly directory: Directory,
    private readonly users: UserStore,
  ) {}

  @Handles(listAllUsers)
  async list(scope: Scope, { q }: UserSearch): Promise<DirectoryUsers> {
    assertSystem(scope);
    return { items: wholeList(await this.directory.users({ q, limit: MOST_LISTED + 1, offset: 0 }), MOST_LISTED) };
  }

  @Handles(pageAllUsers)
  async page(scope: Scope, { q, page, limit }: DirectoryPageRequest): Promise<DirectoryPage> {
    assertSystem(scope);
    const items = await this.directory.users({ q, limit, offset: (page - 1) * limit });
    return { items, total: await this.directory.countUsers(q), page, limit };
  }

  @Handles(releaseAddress)
  async releaseAddress(scope: Scope, { code }: UserReference, context: WriteContext): Promise<AddressReleased> {
    assertSystem(scope);
    const owner = await this.directory.ownerOf(code);
    const released = await context.writeUnder(owner ?? scope, (tx) => this.users.releaseAddress(tx, code));
    return { code, released };
  }
}
