import { Injectable } from '@nestjs/common';
import {
  type DirectoryPage,
  type DirectoryPageRequest,
  type DirectoryUsers,
  listAllUsers,
  MOST_LISTED,
  pageAllUsers,
  type UserSearch,
} from '@acervo/contracts';
import { Handles } from '@acervo/platform-calls';
import type { Scope } from '@acervo/rbac';
import { assertSystem } from './authority';
import { Directory } from './directory';
import { wholeList } from './people.errors';

/** Users of all groups, for SYSTEM users. */
@Injectable()
export class DirectoryHandlers {
  constructor(private readonly directory: Directory) {}

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
}
