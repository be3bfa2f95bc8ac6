import { Injectable } from '@nestjs/common';
import { defaultLanguages, languageOf } from '@acervo/analysis';
import {
  draftOrganization,
  getOrganization,
  InvalidContext,
  type OrganizationDraft,
  type OrganizationDraftRequest,
  readParameters,
} from '@acervo/contracts';
import { Calls, Handles, ownReach } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf, visibilityOfRequest, WorkScope } from '@acervo/rbac';
import { DraftFactsStore } from './draft-facts.store';
import { type DraftLanguage, draftTexts } from './draft-texts';

const NOTICE =
  'The texts are assembled from names, folders, types and languages of the documents, and from the given text. Nothing was saved.';

/** Drafts the texts that describe an organisation, from its documents. It writes nothing. */
@Injectable()
export class DraftHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly facts: DraftFactsStore,
  ) {}

  @Handles(draftOrganization)
  async draft(scope: Scope, { sourceText = '', entityCode }: OrganizationDraftRequest): Promise<OrganizationDraft> {
    const { group, entity } = await this.calls.send(
      getOrganization,
      scope,
      entityCode === undefined ? {} : { entityCode },
    );
    if (entity === null) throw new InvalidContext();
    const language = await this.language(scope);
    const inEntity = await visibilityOfRequest(scope, { entityCode: entity.code }, ownReach(this.calls, scope));
    const [ofGroup, ofEntity] = await this.database.read(scope, async (tx) => [
      await this.facts.read(tx, visibilityOf(scope)),
      await this.facts.read(tx, inEntity),
    ]);
    const text = sourceText.trim();
    const source = text === '' ? null : { text, language: languageOf(text, defaultLanguages) };
    return {
      generated: false,
      group: { ...group, ...draftTexts(group.name, ofGroup, source, language) },
      entity: { ...entity, ...draftTexts(entity.name, ofEntity, source, language) },
      notice: NOTICE,
    };
  }

  /** The language that the group prefers. */
  private async language({ groupId }: Scope): Promise<DraftLanguage> {
    const scope = new WorkScope(groupId, 'ingestion', 'draft');
    const { values } = await this.calls.send(readParameters, scope, { parameterCodes: ['LANGUAGE'] });
    return values[0]?.value === 'en' ? 'en' : 'es';
  }
}
