import { Injectable } from '@nestjs/common';
import {
  type GroupParametersUpdate,
  InvalidInput,
  listGroupParameters,
  listParameterCategories,
  listParameterTypes,
  NotFound,
  type Empty,
  type ParameterCategories,
  type ParameterItem,
  type ParameterList,
  type ParameterListRequest,
  type ParameterTypes,
  type ParameterUpdate,
  type ParameterValues,
  type ParameterValuesRequest,
  readParameters,
  readWebToken,
  skillOfParameter,
  updateGroupParameter,
  updateGroupParameters,
  type WebToken,
} from '@acervo/contracts';
import { Handles, type WriteContext } from '@acervo/platform-calls';
import { Database, type Transaction } from '@acervo/platform-database';
import type { ParameterCategory } from '@acervo/public-mapping';
import type { Scope, WorkScope } from '@acervo/rbac';
import { Reach } from '../organisation/reach';
import { categories, categoryCodes, parameterDefinitions, typeCodes, typeDescriptions } from './definitions';
import { type KeptValue, ParameterStore } from './parameter.store';
import { type SkillDocuments, SkillResults } from './skill-results';
import { isPrivate, type ParameterDefinition, readValue } from './values';
import { hostOf, WEB_TOKEN, WEB_TOKEN_HOST } from './web-token';

const invalidValue = (): InvalidInput => new InvalidInput({ missing: [], invalid: ['value'], unknown: 0 });

const itemOf = (
  definition: ParameterDefinition,
  storedValues: readonly KeptValue[],
  documents?: SkillDocuments,
): ParameterItem => {
  const { code, name, description, category, type, choices = [], default: fallback = null } = definition;
  const stored = storedValues.find((value) => value.code === code);
  const hidden = isPrivate(definition);
  const skill = skillOfParameter(code);
  return {
    ...(skill === undefined || documents === undefined ? {} : { documents: documents.get(skill) ?? 0 }),
    ...{ code, name, description, category, type, choices },
    isPrivate: hidden,
    isSet: stored !== undefined,
    value: hidden ? null : (stored?.value ?? fallback),
    defaultValue: hidden ? null : fallback,
  };
};

const listOf = (
  storedValues: readonly KeptValue[],
  category: ParameterCategory | undefined,
  documents?: SkillDocuments,
): ParameterList => {
  const wanted = parameterDefinitions.filter((each) => category === undefined || each.category === category);
  const place = ({ category: of }: ParameterDefinition): number => categoryCodes.indexOf(of);
  const ordered = wanted.toSorted((one, other) => place(one) - place(other) || (one.code < other.code ? -1 : 1));
  return { parameters: ordered.map((definition) => itemOf(definition, storedValues, documents)) };
};

interface ReadUpdate {
  readonly definition: ParameterDefinition;
  /** In its canonical form; null where the parameter is reset. */
  readonly value: string | null;
}

/**
 * @throws NotFound for a missing parameter, or one outside of the category; InvalidInput for a value of another type;
 * HostExpected for a text that is no host.
 */
const readUpdate = ({ parameterCode, value }: ParameterUpdate, category?: ParameterCategory): ReadUpdate => {
  const definition = parameterDefinitions.find(({ code }) => code === parameterCode);
  if (definition === undefined || (category !== undefined && definition.category !== category)) throw new NotFound();
  const read = value === null ? null : readValue(definition, value);
  if (value !== null && read === null) throw invalidValue();
  return { definition, value: read !== null && definition.code === WEB_TOKEN_HOST ? hostOf(read) : read };
};

/** Parameters of a group. Answers contain no private value; ingestion alone gets the token of the web. */
@Injectable()
export class ParametersHandlers {
  constructor(
    private readonly database: Database,
    private readonly store: ParameterStore,
    private readonly skills: SkillResults,
  ) {}

  @Handles(listGroupParameters)
  async list(scope: Scope, { category }: ParameterListRequest): Promise<ParameterList> {
    const stored = await this.database.read(scope, async (tx) => {
      (await Reach.of(tx, scope)).assertWholeGroup();
      return this.store.list(tx);
    });
    const documents = category === 'ASISTENTE' || category === undefined ? await this.skills.of(scope) : undefined;
    return listOf(stored, category, documents);
  }

  @Handles(updateGroupParameter)
  async update(scope: Scope, input: ParameterUpdate, context: WriteContext): Promise<ParameterItem> {
    const documents = await this.documentsOf(scope, input);
    return context.write(async (tx) => {
      (await Reach.of(tx, scope)).assertWholeGroup();
      const definition = await this.apply(tx, input);
      return itemOf(definition, await this.store.list(tx), documents);
    });
  }

  @Handles(updateGroupParameters)
  updateSeveral(scope: Scope, { parameters }: GroupParametersUpdate, context: WriteContext): Promise<ParameterList> {
    const codes = parameters.map(({ parameterCode }) => parameterCode);
    if (codes.length === 0 || new Set(codes).size < codes.length)
      throw new InvalidInput({ missing: [], invalid: ['parameters'], unknown: 0 });
    return context.write(async (tx) => {
      (await Reach.of(tx, scope)).assertWholeGroup();
      for (const parameter of parameters) await this.apply(tx, parameter, 'ORGANIZACION');
      return listOf(await this.store.list(tx), 'ORGANIZACION');
    });
  }

  @Handles(readParameters)
  async read(scope: WorkScope, { parameterCodes }: ParameterValuesRequest): Promise<ParameterValues> {
    const wanted = parameterCodes.map((wantedCode) => parameterDefinitions.find(({ code }) => code === wantedCode));
    const stored = await this.database.read(scope, (tx) => this.store.list(tx));
    const values = wanted.map((definition) => {
      if (definition === undefined || isPrivate(definition)) throw new NotFound();
      const setAt = stored.find(({ code }) => code === definition.code)?.setAt.toISOString();
      const { value } = itemOf(definition, stored);
      return { parameterCode: definition.code, value, ...(setAt === undefined ? {} : { setAt }) };
    });
    return { values };
  }

  @Handles(readWebToken)
  webToken(scope: WorkScope): Promise<WebToken> {
    return this.database.read(scope, async (tx) => {
      const { value: host, opened } = await this.store.openPair(tx, WEB_TOKEN_HOST, WEB_TOKEN);
      return { host, token: host === null ? null : opened };
    });
  }

  @Handles(listParameterCategories)
  async listCategories(_scope: Scope, _input: Empty): Promise<ParameterCategories> {
    return Promise.resolve({
      categories: categoryCodes.map((code) => ({
        code,
        ...categories[code],
        parameters: parameterDefinitions.filter(({ category }) => category === code).length,
      })),
    });
  }

  @Handles(listParameterTypes)
  async listTypes(_scope: Scope, _input: Empty): Promise<ParameterTypes> {
    return Promise.resolve({
      types: typeCodes.map((code) => ({
        code,
        description: typeDescriptions[code],
        isPrivate: code === 'SECRETO',
      })),
    });
  }

  /** The documents that a change of a skill concerns; ingestion is not asked for a change that is refused. */
  private async documentsOf(scope: Scope, input: ParameterUpdate): Promise<SkillDocuments | undefined> {
    if (skillOfParameter(input.parameterCode) === undefined) return undefined;
    await this.database.read(scope, async (tx) => (await Reach.of(tx, scope)).assertWholeGroup());
    readUpdate(input);
    return this.skills.of(scope);
  }

  /** @throws as `readUpdate` */
  private async apply(
    tx: Transaction,
    input: ParameterUpdate,
    category?: ParameterCategory,
  ): Promise<ParameterDefinition> {
    const { definition, value } = readUpdate(input, category);
    if (definition.code === WEB_TOKEN_HOST) await this.deleteTokenOfOtherHost(tx, value);
    if (value === null) await this.store.unset(tx, definition.code);
    else await this.store.set(tx, definition.code, value, isPrivate(definition));
    return definition;
  }

  /** A user who may set the host and does not know the token would get it from a host of their choice. */
  private async deleteTokenOfOtherHost(tx: Transaction, host: string | null): Promise<void> {
    if ((await this.store.value(tx, WEB_TOKEN_HOST)) !== host) await this.store.unset(tx, WEB_TOKEN);
  }
}
