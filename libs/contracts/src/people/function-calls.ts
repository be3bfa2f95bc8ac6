import { call } from '../calls';
import { Empty } from '../empty';
import { operation } from '../operation';
import { FunctionReference } from './function-reference';
import * as functions from './functions';
import { ApplicationItem, ApplicationItems, CompiledDocument, RoleRecord } from './roles';
import { Removed } from './user-access';

const asked = { owner: 'auth', scope: 'user', callers: ['auth', 'operations'] } as const;
const reads = { ...asked, effect: 'read' } as const;
const writes = { ...asked, effect: 'write', reach: 'group' } as const;

export const listFunctions = call({
  ...reads,
  code: 'functions.list',
  input: functions.FunctionListRequest,
  output: functions.FunctionRecords,
});
export const listApplications = operation({
  code: 'applications.list',
  owner: 'auth',
  callers: ['auth'],
  kind: 'read',
  profile: 'ADMINISTRADOR',
  screens: ['MANAGE_USERS'],
  summary: 'List the applications that people work with.',
  input: Empty,
  output: ApplicationItems,
});
/**
 * The description of a function, for users who have it.
 * @throws NotFound for one outside of the caller's catalogue
 */
export const describeFunction = call({
  ...reads,
  code: 'functions.describe',
  input: FunctionReference,
  output: functions.FunctionRecord,
});
/** Functions belong to all groups: only a SYSTEM user creates, changes, orders or deletes them. */
export const createFunction = call({
  ...writes,
  code: 'functions.create',
  input: functions.FunctionDraft,
  output: functions.FunctionRecord,
});
export const updateFunction = call({
  ...writes,
  code: 'functions.update',
  input: functions.FunctionUpdate,
  output: functions.FunctionRecord,
});
export const deleteFunction = call({
  ...writes,
  code: 'functions.delete',
  input: FunctionReference,
  output: Removed,
});
export const reorderFunctions = call({
  ...writes,
  code: 'functions.reorder',
  input: functions.FunctionOrder,
  output: functions.FunctionRecords,
});

export const listFunctionApplications = call({
  ...reads,
  code: 'functions.list_applications',
  input: FunctionReference,
  output: ApplicationItems,
});
export const addFunctionApplication = call({
  ...writes,
  code: 'functions.add_application',
  input: functions.AssignFunctionApplication,
  output: ApplicationItem,
});
export const removeFunctionApplication = call({
  ...writes,
  code: 'functions.remove_application',
  input: functions.FunctionApplicationReference,
  output: Removed,
});
/** Roles that the caller's group sees and that give the function. */
export const listFunctionRoles = call({
  ...reads,
  reach: 'group',
  code: 'functions.list_roles',
  input: FunctionReference,
  output: functions.FunctionRoleRecords,
});
export const addFunctionRole = call({
  ...writes,
  code: 'functions.add_role',
  input: functions.FunctionRoleReference,
  output: RoleRecord,
});
export const removeFunctionRole = call({
  ...writes,
  code: 'functions.remove_role',
  input: functions.FunctionRoleReference,
  output: Removed,
});
/** Compiles the document of a function from its current description, and stores it. */
export const generateFunctionDocument = call({
  ...writes,
  code: 'functions.generate_md',
  input: FunctionReference,
  output: CompiledDocument,
});
