import { Injectable } from '@nestjs/common';
import { BackgroundDatabase, type TenantScope, type Transaction } from '@acervo/platform-database';
import { ObjectMissing, ObjectStore } from '@acervo/platform-object-store';
import { SingleFlight } from '@acervo/platform-resilience';
import type { UsedResult } from '../document-state/result.store';
import { TaxonomyStore } from '../taxonomy/taxonomy.store';
import { TypeTree } from '../taxonomy/type-tree';
import { Cpu } from '../cpu/cpu';
import { type Classification, codesOf, needsVector } from './classification';
import {
  CLASSIFY_DOCUMENTS,
  type Classified,
  type ClassifierInput,
  type ClassifierSource,
  textOf,
} from './classify-job';
import { OpeningVectors } from './opening-vectors';
import { type ExampleProfile, openingText, termsText } from './similarity/example-profile';
import type { DocumentType, Taxonomy } from '../taxonomy/taxonomy';

/** The classifier of a group at one version of its taxonomy. */
export interface GroupClassifier extends ClassifierSource {
  readonly key: string;
  readonly tree: TypeTree;
  readonly examples: readonly Example[];
}

/** Groups whose taxonomies are kept. */
const MOST_GROUPS = 64;
/** Documents of one job. Jobs of other documents and groups run between two of them, and its deadline is for these. */
const CLASSIFIED_TOGETHER = 8;
/** Texts that are embedded together. */
const EMBEDDED_TOGETHER = 16;

interface ExampleRow {
  readonly typeCode: string;
  readonly name: string;
  readonly title: string | null;
  readonly language: string | null;
  readonly contentHash: string;
  readonly textObject: string;
}

/** An example with what its vector is made of. */
interface Example extends ExampleProfile {
  readonly contentHash: string;
  readonly opening: string;
}

/** A classifier that compares vectors, and the results to remember of its examples. */
export interface EmbeddedClassifier {
  readonly seeing: GroupClassifier;
  readonly made: readonly UsedResult[];
}

/** Types and features of documents by the taxonomy of their group, outside the event loop. */
@Injectable()
export class Classifiers {
  private readonly loaded = new Map<string, { readonly version: number; readonly made: Promise<GroupClassifier> }>();
  /** With the vectors of boundaries and examples, by key. */
  private readonly seeing = new Map<string, GroupClassifier>();
  private readonly embedding = new SingleFlight<GroupClassifier>();

  constructor(
    private readonly database: BackgroundDatabase,
    private readonly taxonomies: TaxonomyStore,
    private readonly objects: ObjectStore,
    private readonly cpu: Cpu,
    private readonly vectors: OpeningVectors,
  ) {}

  /** The classifier by rules and terms at this version or a later one; null where the group describes no types. */
  async at(scope: TenantScope, version: number): Promise<GroupClassifier | null> {
    const { groupId } = scope;
    const found = this.loaded.get(groupId);
    const current = found !== undefined && found.version >= version ? found : this.begin(scope, version);
    const classifier = await current.made;
    return classifier.taxonomy.types.length === 0 ? null : classifier;
  }

  /**
   * A classifier by rules and terms, also of a taxonomy that is not stored, such as one with a changed boundary.
   * @param key names the taxonomy
   */
  async of(
    scope: TenantScope,
    key: string,
    taxonomy: Taxonomy,
    examples: readonly ExampleRow[],
  ): Promise<GroupClassifier> {
    const tree = new TypeTree(taxonomy.types);
    return { key, taxonomy, tree, examples: await this.profiles(scope, examples), floor: 0 };
  }

  /**
   * The same classifier, which compares vectors too. It is kept, and made once for concurrent callers.
   * @param keep stores the vectors of examples that are not stored yet
   * @throws EmbedderFailure
   */
  async withVectors(
    scope: TenantScope,
    classifier: GroupClassifier,
    keep: (made: readonly UsedResult[]) => Promise<void>,
  ): Promise<GroupClassifier> {
    const key = this.keyWithVectors(classifier);
    const make = async (): Promise<GroupClassifier> => {
      const { seeing, made } = await this.embedded(scope, classifier);
      if (made.length > 0) await keep(made);
      return seeing;
    };
    const found = this.seeing.get(key) ?? (await this.embedding.run(key, make));
    this.seeing.delete(key);
    this.seeing.set(key, found);
    for (const oldest of this.seeing.keys()) if (this.seeing.size > MOST_GROUPS) this.seeing.delete(oldest);
    return found;
  }

  /** The classifier with vectors, and those of examples that are not stored. It is not kept. @throws EmbedderFailure */
  async embedded(scope: TenantScope, classifier: GroupClassifier): Promise<EmbeddedClassifier> {
    const { taxonomy, tree, examples } = classifier;
    const made: UsedResult[] = [];
    const ofExample = async (example: Example): Promise<Example> => {
      const { vector, used } = await this.vectors.of(scope, example.contentHash, example.opening);
      if (!used.isStored) made.push(used);
      return { ...example, vector };
    };
    const ofText = async (profile: Example): Promise<Example> => ({
      ...profile,
      vector: await this.vectors.ofText(scope, profile.text),
    });
    const profiles = [
      ...(await inBatches(examples, ofExample)),
      ...(await inBatches(taxonomy.types.flatMap(boundaryProfiles), ofText)),
    ];
    const key = this.keyWithVectors(classifier);
    return { seeing: { key, taxonomy, tree, examples: profiles, floor: this.vectors.floor }, made };
  }

  /** The texts of examples; one whose document has no text is left out. */
  examplesOf(tx: Transaction, { types }: Taxonomy): Promise<ExampleRow[]> {
    const examples = types.flatMap(({ code, boundary }) => boundary.examples.map((id) => ({ code, id })));
    return tx.query<ExampleRow>(
      `select given.code as "typeCode", d.name, d.title, d.language, d.content_hash as "contentHash",
         d.text_object as "textObject"
       from jsonb_to_recordset($2::jsonb) as given (code text, id uuid)
       join ingestion.document d on d.group_id = $1 and d.document_id = given.id and d.deleted_at is null
         and d.text_object is not null and d.content_hash is not null order by 1, d.document_id`,
      [tx.groupId, JSON.stringify(examples)],
    );
  }

  /** Types and features of documents, in their order. */
  async run(
    classifier: GroupClassifier,
    documents: readonly ClassifierInput[],
    urgent?: boolean,
  ): Promise<readonly Classified[]> {
    const classified: Classified[] = [];
    for (let from = 0; from < documents.length; from += CLASSIFIED_TOGETHER)
      classified.push(...(await this.runJob(classifier, documents.slice(from, from + CLASSIFIED_TOGETHER), urgent)));
    return classified;
  }

  /** A thread that lacks the classifier is asked again, with what it is made of. */
  private async runJob(
    { key, taxonomy, examples, floor }: GroupClassifier,
    documents: readonly ClassifierInput[],
    urgent?: boolean,
  ): Promise<readonly Classified[]> {
    const classified = await this.cpu.run(CLASSIFY_DOCUMENTS, { key, source: null, documents }, urgent);
    if (classified !== null) return classified;
    return (
      (await this.cpu.run(CLASSIFY_DOCUMENTS, { key, source: { taxonomy, examples, floor }, documents }, urgent)) ?? []
    );
  }

  private begin(scope: TenantScope, version: number) {
    const { groupId } = scope;
    const begun = { version, made: this.load(scope) };
    this.loaded.delete(groupId);
    this.loaded.set(groupId, begun);
    for (const oldest of this.loaded.keys()) if (this.loaded.size > MOST_GROUPS) this.loaded.delete(oldest);
    begun.made.then(
      ({ taxonomy }) => {
        if (this.loaded.get(groupId) === begun) this.loaded.set(groupId, { ...begun, version: taxonomy.version });
      },
      () => {
        if (this.loaded.get(groupId) === begun) this.loaded.delete(groupId);
      },
    );
    return begun;
  }

  private async load(scope: TenantScope): Promise<GroupClassifier> {
    const { taxonomy, rows } = await this.database.read(scope, async (tx) => {
      const loaded = await this.taxonomies.load(tx);
      return { taxonomy: loaded, rows: await this.examplesOf(tx, loaded) };
    });
    const key = `${scope.groupId}/${taxonomy.version}/${rows.map(({ textObject }) => textObject).join()}`;
    return this.of(scope, key, taxonomy, rows);
  }

  private async profiles(scope: TenantScope, rows: readonly ExampleRow[]): Promise<Example[]> {
    const profiles: Example[] = [];
    for (const { typeCode, name, title, language, contentHash, textObject } of rows) {
      const stored = await this.objects.get(scope, textObject).catch((error: unknown) => {
        // The document changed or was deleted meanwhile.
        if (error instanceof ObjectMissing) return undefined;
        throw error;
      });
      if (stored === undefined) continue;
      const named = { name, title, text: textOf(stored).text };
      const profile = { typeCode, role: 'EXAMPLE', text: termsText(named), language, vector: null } as const;
      profiles.push({ ...profile, contentHash, opening: openingText(named) });
    }
    return profiles;
  }

  private keyWithVectors({ key }: GroupClassifier): string {
    return `${key}/${this.vectors.embedderKey}`;
  }
}

/** The texts of a boundary, whose vectors are to be made. */
const boundaryProfiles = ({ code: typeCode, boundary }: DocumentType): Example[] =>
  (['INCLUDES', 'EXCLUDES'] as const).flatMap((role) => {
    const text = role === 'INCLUDES' ? boundary.includes : boundary.excludes;
    return text === '' ? [] : [{ typeCode, role, text, language: null, vector: null, contentHash: '', opening: text }];
  });

const inBatches = async <T>(all: readonly T[], work: (each: T) => Promise<T>): Promise<T[]> => {
  const done: T[] = [];
  for (let from = 0; from < all.length; from += EMBEDDED_TOGETHER)
    done.push(...(await Promise.all(all.slice(from, from + EMBEDDED_TOGETHER).map(work))));
  return done;
};

/** What is stored of a classified document. */
export const classificationOf = (
  { taxonomy, tree }: Pick<GroupClassifier, 'taxonomy' | 'tree'>,
  contentHash: string,
  { decision, features, candidates }: Classified,
  hasVector: boolean,
): Classification => ({
  ...{ taxonomyVersion: taxonomy.version, hasTypes: true, contentHash, decision, features, candidates },
  awaitsVector: !hasVector && needsVector(taxonomy, decision),
  codes: codesOf(taxonomy, tree, decision.typeCode, features),
});
