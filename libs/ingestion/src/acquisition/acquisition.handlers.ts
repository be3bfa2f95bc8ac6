import { Injectable } from '@nestjs/common';
import { type AcquisitionSkill, type AcquisitionSkillRequest, getAcquisitionSkill } from '@acervo/contracts';
import { composePrompt } from '@acervo/models/chat';
import { Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf } from '@acervo/rbac';
import { LocationPageStore } from '../location-pages/location-page.store';
import { AcquisitionPrompts } from './acquisition-prompts';

/** Shows by which instructions documents of a folder are acquired. It runs nothing. */
@Injectable()
export class AcquisitionHandlers {
  constructor(
    private readonly database: Database,
    private readonly folders: LocationPageStore,
    private readonly prompts: AcquisitionPrompts,
  ) {}

  @Handles(getAcquisitionSkill)
  async show(scope: Scope, request: AcquisitionSkillRequest): Promise<AcquisitionSkill> {
    const { locationCode, acquisition = 'ACQUISITION-FOLDER' } = request;
    const visibility = visibilityOf(scope);
    const { entityCode } = await this.database.read(scope, (tx) => this.folders.find(tx, visibility, locationCode));
    const layers = await this.prompts.layers(scope.groupId, entityCode, acquisition);
    const { text, layers: records, hash } = composePrompt(layers);
    return {
      ...{ locationCode, acquisition, prompt: text, promptHash: hash },
      layers: layers.map((layer, at) => ({ ...layer, sha256: records[at]?.sha256 ?? '' })),
    };
  }
}
