// Fails where clients of the last release break: their requests are refused, or answers lack what they read.

const MEDIA = 'application/json';

const resolved = (schema, document) => {
  if (schema?.$ref === undefined) return schema ?? {};
  const name = schema.$ref.split('/').at(-1);
  return document.components.schemas[name] ?? {};
};

/** A schema as readers see it: types with null apart, references and single alternatives resolved. */
const normal = (schema, document) => {
  const { allOf, anyOf, ...rest } = resolved(schema, document);
  const parts = [...(allOf ?? []), ...(anyOf ?? [])].map((part) => normal(part, document));
  const merged = Object.assign({}, ...parts, rest);
  const types = [...new Set([rest.type ?? [], ...parts.map(({ types: inner }) => inner)].flat())].sort();
  return { ...merged, types };
};

/** Whether a request may have each type that it could have, or an answer has no type that it could not have. */
const keepsTypes = (before, now, isRequest) => {
  if (before.format !== now.format) return false;
  const [needed, allowed] = isRequest ? [before.types, now.types] : [now.types, before.types];
  return needed.length > 0 ? needed.every((type) => allowed.includes(type)) : allowed.length === 0;
};

const NARROWER = {
  minLength: (before, now) => now > (before ?? 0),
  minimum: (before, now) => now > (before ?? -Infinity),
  minItems: (before, now) => now > (before ?? 0),
  maxLength: (before, now) => now < (before ?? Infinity),
  maximum: (before, now) => now < (before ?? Infinity),
  maxItems: (before, now) => now < (before ?? Infinity),
};

const narrowed = (where, before, now) => [
  ...Object.entries(NARROWER)
    .filter(([bound, isNarrower]) => now[bound] !== undefined && isNarrower(before[bound], now[bound]))
    .map(([bound]) => `${where} has a narrower ${bound}: requests of the last release are refused.`),
  ...(now.enum === undefined || before.types.length === 0 ? [] : lostValues(where, before, now)),
];

const lostValues = (where, { enum: before }, { enum: now }) => {
  if (before === undefined) return [`${where} is a closed set now: requests of the last release are refused.`];
  return before
    .filter((value) => !now.includes(value))
    .map((value) => `${where} no longer accepts ${value}: requests of the last release are refused.`);
};

/** Requirements that a client of the last release does not meet, or that an answer no longer meets. */
const requirementProblems = (where, before, now, isRequest) => {
  const [had, has] = [before.required ?? [], now.required ?? []];
  return isRequest
    ? has.filter((name) => !had.includes(name)).map((name) => `${where}.${name} is required now.`)
    : had
        .filter((name) => !has.includes(name) && now.properties?.[name] !== undefined)
        .map((name) => `${where}.${name} may be absent now: clients of the last release read it.`);
};

/** Differences of two schemas that a client of the earlier one does not survive. */
const schemaProblems = (where, [before, earlier], [now, later], isRequest, depth = 0) => {
  const [one, other] = [normal(before, earlier), normal(now, later)];
  if (depth > 12) return [];
  if (!keepsTypes(one, other, isRequest)) return [`${where} has another type: add a field with another name.`];
  const inner = (name, path) =>
    schemaProblems(path, [one.properties[name], earlier], [other.properties[name], later], isRequest, depth + 1);
  return [
    ...(isRequest ? narrowed(where, one, other) : []),
    ...requirementProblems(where, one, other, isRequest),
    ...Object.keys(one.properties ?? {}).flatMap((name) =>
      other.properties?.[name] === undefined
        ? [`${where}.${name} is removed: clients of the last release depend on it.`]
        : inner(name, `${where}.${name}`),
    ),
    ...(one.items === undefined
      ? []
      : schemaProblems(`${where}[]`, [one.items, earlier], [other.items, later], isRequest, depth + 1)),
  ];
};

/** Parameters by place and name. */
const parametersOf = ({ parameters = [] }) =>
  new Map(parameters.map((parameter) => [`${parameter.in} parameter ${parameter.name}`, parameter]));

const parameterProblems = (where, [before, earlier], [now, later]) => {
  const [had, has] = [parametersOf(before), parametersOf(now)];
  return [
    ...[...had].flatMap(([name, parameter]) =>
      has.has(name)
        ? schemaProblems(`The ${name} of ${where}`, [parameter.schema, earlier], [has.get(name).schema, later], true)
        : [`The ${name} of ${where} is removed: clients of the last release send it.`],
    ),
    ...[...has]
      .filter(([name, { required }]) => required === true && had.get(name)?.required !== true)
      .map(([name]) => `The ${name} of ${where} is required now.`),
  ];
};

const bodyOf = ({ requestBody }) => requestBody?.content[MEDIA]?.schema;
const answerOf = ({ responses }) => responses['200']?.content?.[MEDIA]?.schema;

const bodyProblems = (where, [before, earlier], [now, later]) => {
  const [one, other] = [bodyOf(before), bodyOf(now)];
  if (one === undefined && other === undefined) return [];
  if (other === undefined) return [`${where} takes no body now: clients of the last release send one.`];
  if (now.requestBody.required === true && before.requestBody?.required !== true)
    return [`${where} requires a body now.`];
  return one === undefined ? [] : schemaProblems(`The body of ${where}`, [one, earlier], [other, later], true);
};

const operationProblems = (where, before, now) => {
  const [[one], [other]] = [before, now];
  if (other === undefined) return [`${where} is removed: clients of the last release call it.`];
  return [
    ...(one.operationId === other.operationId
      ? []
      : [`${where} has another operationId: it names the method of every client.`]),
    ...(one.security === undefined && other.security !== undefined ? [`${where} requires a credential now.`] : []),
    ...parameterProblems(where, before, now),
    ...bodyProblems(where, before, now),
    ...schemaProblems(`The answer of ${where}`, [answerOf(one), before[1]], [answerOf(other), now[1]], false),
  ];
};

/** All differences of two published descriptions that a client of the earlier one does not survive. */
export const publishedProblems = (before, now) =>
  Object.entries(before.paths).flatMap(([path, item]) =>
    Object.entries(item).flatMap(([method, operation]) =>
      operationProblems(`${method.toUpperCase()} ${path}`, [operation, before], [now.paths[path]?.[method], now]),
    ),
  );
