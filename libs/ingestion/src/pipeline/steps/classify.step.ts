import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { ObjectStore } from '@acervo/platform-object-store';
import { unclassified } from '../../classification/classification.store';
import { classificationOf, Classifiers } from '../../classification/classifiers';
import { CLASSIFY, SUMMARISE } from '../stages';
import { filled, type WorkingDocument } from '../working-document.store';
import type { Done, Step } from './step';

/**
 * Gives a document its type and features by rules and terms. What a vector may change is decided again in the
 * background, once the document is searchable.
 */
@Injectable()
export class ClassifyStep implements Step {
  readonly stage = CLASSIFY;
  readonly from = 'EXTRAIDO';
  readonly to = 'CLASIFICADO';
  readonly next = SUMMARISE;
  readonly atOnce = 1;

  constructor(
    private readonly classifiers: Classifiers,
    private readonly objects: ObjectStore,
  ) {}

  isCheap(): boolean {
    return true;
  }

  async work(scope: TenantScope, document: WorkingDocument): Promise<Done> {
    const contentHash = filled(document.contentHash);
    const { taxonomyVersion } = document;
    const classifier = taxonomyVersion === null ? null : await this.classifiers.at(scope, taxonomyVersion);
    if (classifier === null)
      return { patch: {}, objects: [], classification: unclassified(contentHash, taxonomyVersion ?? 0) };
    const { documentId, entityCode, name, path, language, title, textObject } = document;
    const stored = await this.objects.get(scope, filled(textObject));
    const facts = { documentId, entityCode, name, path, language, title };
    const [classified] = await this.classifiers.run(classifier, [{ ...facts, stored, vector: null }], scope.urgent);
    if (classified === undefined) throw new Error('The classifier answered for no document.');
    return {
      ...{ patch: {}, objects: [] },
      classification: classificationOf(classifier, contentHash, classified, false),
    };
  }
}
