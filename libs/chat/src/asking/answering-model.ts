import { Injectable } from '@nestjs/common';
import { ChatModel, isOnThisMachine, permittedModel } from '@acervo/models/chat';
import { ChatConfig } from '@acervo/platform-service';
import type { AnswerParameters } from './chat-parameters';

/** Chooses the model that answers a question. */
@Injectable()
export class AnsweringModel {
  private readonly isLocal: boolean;

  constructor(
    private readonly model: ChatModel,
    config: ChatConfig,
  ) {
    this.isLocal = isOnThisMachine(config.chatUrl);
  }

  /**
   * The model of a group: the one that it names, where the operator lists it, else the default. Null where none is
   * configured, or where the text of the group may not leave the machine.
   */
  of({ model, modelAllowed }: Pick<AnswerParameters, 'model' | 'modelAllowed'>): string | null {
    return permittedModel({
      ...{ models: this.model.models, isLocal: this.isLocal },
      ...{ isAllowed: modelAllowed, named: model },
    });
  }

  /** Whether a model calls tools, as the operator says. */
  callsTools(model: string | null): model is string {
    return model !== null && this.model.toolModels.includes(model);
  }
}
