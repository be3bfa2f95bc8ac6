import { Injectable } from '@nestjs/common';
import {
  type AdministratorLink,
  type IssuedLink,
  issueAdministratorLink,
  issuePasswordLink,
  type Empty,
  type PersonInGroup,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import type { WorkScope } from '@acervo/rbac';
import { PasswordLinks } from '../mails/password-links';
import { ProvisioningStore } from '../provisioning/provisioning.store';
import { ActionTokenStore } from './action-token.store';

/** Issues links that set a password, for mail and for operators. */
@Injectable()
export class PasswordLinksHandlers {
  constructor(
    private readonly actions: ActionTokenStore,
    private readonly provisioning: ProvisioningStore,
    private readonly links: PasswordLinks,
  ) {}

  @Handles(issuePasswordLink)
  async issue(_scope: WorkScope, { userId, purpose }: PersonInGroup, context: WriteContext): Promise<IssuedLink> {
    return context.write(async (tx) => this.link(await this.actions.issue(tx, userId, purpose)));
  }

  @Handles(issueAdministratorLink)
  async issueToAdministrator(_scope: WorkScope, _input: Empty, context: WriteContext): Promise<AdministratorLink> {
    return context.write(async (tx) => {
      const { administrator, administratorId } = await this.provisioning.overview(tx);
      return { ...this.link(await this.actions.issue(tx, administratorId, 'RECUPERACION')), administrator };
    });
  }

  private link(token: string): IssuedLink {
    return { link: this.links.withToken(token) };
  }
}
