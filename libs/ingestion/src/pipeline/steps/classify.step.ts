import { Injectable } from '@nestjs/common';
import type { TenantScope } from '@acervo/platform-database';
import { NO_FINDINGS } from '../../classification/classified';
import { unclassified } from '../../classification/classification.store';
import { classificationOf, Classifiers } from '../../classification/classifiers';
import { filled, type WorkingDocument } from '../../document-state/working-document.store';
import type { Step, StepContext, StepOutput } from './step';

/**
 * Gives a document its type and features by rules and terms. What a vector may change is decided again in the
 * background, once the document is searchable.
 */
@Injectable()
export class ClassifyStep implements Step {
  constructor(private readonly classifiers: Classifiers) {}

  async work(scope: TenantScope, document: WorkingDocument, context: StepContext): Promise<StepOutput> {
    const contentHash = filled(document.contentHash);
    const { taxonomyVersion } = document;
    const classifier = taxonomyVersion === null ? null : await this.classifiers.at(scope, taxonomyVersion);
    if (classifier === null)
      return { patch: {}, objects: [], classification: unclassified(contentHash, taxonomyVersion ?? 0) };
    const { documentId, entityCode, name, path, language, title } = document;
    const stored = await context.text();
    const facts = { documentId, entityCode, name, path, language, title };
    const [classified] = await this.classifiers.run(
      classifier,
      [{ ...facts, stored, vector: null, findings: NO_FINDINGS }],
      scope.urgent,
    );
    if (classified === undefined) throw new Error('The classifier answered for no document.');
    return {
      ...{ patch: {}, objects: [] },
      classification: classificationOf(classifier, contentHash, classified, false),
    };
  }
}
