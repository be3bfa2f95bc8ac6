import { Injectable } from '@nestjs/common';
import {
  type AcquisitionSkill,
  type AcquisitionSkillCode,
  type AcquisitionSkillRequest,
  getAcquisitionSkill,
  getPrompts,
  readParameters,
} from '@acervo/contracts';
import { composePrompt, DATA_RULE, organizationLayers, type PromptLayer } from '@acervo/models/chat';
import { Calls, Handles } from '@acervo/platform-calls';
import { Database } from '@acervo/platform-database';
import { type Scope, visibilityOf, WorkScope } from '@acervo/rbac';
import { LocationPageStore } from '../location-pages/location-page.store';
import { type AcquisitionLanguage, acquisitionTexts } from './acquisition-skills';

const ofSkill = (code: AcquisitionSkillCode, language: AcquisitionLanguage) => {
  const { version, texts } = acquisitionTexts[code];
  return { kind: 'SKILL', code, version, text: texts[language] } as const satisfies PromptLayer;
};

/** Shows by which instructions documents of a folder are acquired. It runs nothing. */
@Injectable()
export class AcquisitionHandlers {
  constructor(
    private readonly calls: Calls,
    private readonly database: Database,
    private readonly folders: LocationPageStore,
  ) {}

  @Handles(getAcquisitionSkill)
  async show(scope: Scope, request: AcquisitionSkillRequest): Promise<AcquisitionSkill> {
    const { locationCode, acquisition = 'ACQUISITION-FOLDER' } = request;
    const visibility = visibilityOf(scope);
    const { entityCode } = await this.database.read(scope, (tx) => this.folders.find(tx, visibility, locationCode));
    const work = new WorkScope(scope.groupId, 'ingestion', 'acquisition');
    const layers = [
      DATA_RULE,
      ...organizationLayers(await this.calls.send(getPrompts, work, { entityCode })),
      ofSkill(acquisition, await this.language(work)),
    ];
    const { text, layers: records, hash } = composePrompt(layers);
    return {
      ...{ locationCode, acquisition, prompt: text, promptHash: hash },
      layers: layers.map((layer, at) => ({ ...layer, sha256: records[at]?.sha256 ?? '' })),
    };
  }

  /** The language that the group prefers. */
  private async language(work: WorkScope): Promise<AcquisitionLanguage> {
    const { values } = await this.calls.send(readParameters, work, { parameterCodes: ['LANGUAGE'] });
    return values[0]?.value === 'en' ? 'en' : 'es';
  }
}
