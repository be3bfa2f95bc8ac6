import { randomUUID } from 'node:crypto';
import {
  type Call,
  createGroupProcess,
  createGroupTask,
  documentClassified,
  filterVisibleDocuments,
  findAssignee,
  getProcess,
  type GroupProcess,
  type GroupTask,
  listProcesses,
  type NewGroupProcess,
  NotFound,
  type Process,
  type ProcessListRequest,
  processRequested,
  reachesEntity,
  type ProcessUpdate,
  updateGroupProcess,
  updateProcess,
} from '@acervo/contracts';
import { administratorOf, newGroup, type ServiceTestBed } from '@acervo/platform-test-bed';
import type { Scope } from '@acervo/rbac';
import type { Person } from '../src/processes/person';
import { openBed } from './bed';

/** Auth and retrieval: people by address, and documents that everybody sees. */
class Neighbours {
  readonly people = new Map<string, Person>();
  readonly documents = new Set<string>();
  /** People who reach no entity. */
  readonly withoutEntities = new Set<string>();
  /** How often it was asked whether a person reaches an entity. */
  reachesAsked = 0;

  person(code: string): Person {
    const person = { userId: randomUUID(), code };
    this.people.set(code, person);
    return person;
  }

  send({ code }: Call, _scope: unknown, input: object): Promise<never> {
    if (code === filterVisibleDocuments.code) {
      const { codes } = input as { readonly codes: readonly string[] };
      return Promise.resolve({ codes: codes.filter((each) => this.documents.has(each)) } as never);
    }
    if (code === reachesEntity.code) {
      this.reachesAsked += 1;
      return Promise.resolve({ reaches: !this.withoutEntities.has((input as Person).code) } as never);
    }
    if (code !== findAssignee.code) return Promise.resolve({} as never);
    const person = this.people.get((input as { readonly code: string }).code);
    return person === undefined ? Promise.reject(new NotFound()) : Promise.resolve(person as never);
  }
}

export const LIST: ProcessListRequest = { mine: false, onlyOpen: false, limit: 20, page: 1 };

/** The service with two users, ana and luis, and an administrator of a group of its own. */
export class ProcessTrial {
  readonly groupId = newGroup();
  readonly administrator = administratorOf(this.groupId, { userId: randomUUID(), userCode: 'admin@example.test' });

  private constructor(
    readonly bed: ServiceTestBed,
    readonly neighbours: Neighbours,
    readonly ana: Person,
    readonly luis: Person,
  ) {}

  static async open(): Promise<ProcessTrial> {
    const neighbours = new Neighbours();
    const bed = await openBed({ neighbours: neighbours as never });
    return new ProcessTrial(
      bed,
      neighbours,
      neighbours.person('ana@example.test'),
      neighbours.person('luis@example.test'),
    );
  }

  /** The same service and people, with another group. */
  next(): ProcessTrial {
    return new ProcessTrial(this.bed, this.neighbours, this.ana, this.luis);
  }

  close(): Promise<void> {
    return this.bed.close();
  }

  userOf({ userId, code }: Person, over: Parameters<typeof administratorOf>[1] = {}): Scope {
    const user = { userId, userCode: code, profile: 'USUARIO', entities: ['E1'] } as const;
    return administratorOf(this.groupId, { ...user, ...over });
  }

  define(processCode: string, over: Partial<NewGroupProcess> = {}): Promise<GroupProcess> {
    const definition = { processCode, name: `Name of ${processCode}`, ...over };
    return this.bed.send(createGroupProcess, this.administrator, definition);
  }

  addTask(processCode: string, taskCode: string, over: object = {}): Promise<GroupTask> {
    return this.bed.send(createGroupTask, this.administrator, { processCode, taskCode, name: taskCode, ...over });
  }

  /** Starts a definition by hand; answers the code of the process. */
  async start(processCode: string): Promise<string> {
    const request = { processCode, start: true };
    return (await this.bed.send(updateGroupProcess, this.administrator, request)).startedProcess ?? '';
  }

  change(scope: Scope, processCode: string, over: Omit<ProcessUpdate, 'processCode'>): Promise<Process> {
    return this.bed.send(updateProcess, scope, { processCode, ...over });
  }

  show(scope: Scope, processCode: string): Promise<Process> {
    return this.bed.send(getProcess, scope, { processCode });
  }

  async list(scope: Scope, over: Partial<ProcessListRequest> = {}): Promise<readonly Process[]> {
    return (await this.bed.send(listProcesses, scope, { ...LIST, ...over })).processes;
  }

  async codesOf(scope: Scope, over: Partial<ProcessListRequest> = {}): Promise<readonly string[]> {
    return (await this.list(scope, over)).map(({ code }) => code);
  }

  /** A document got its type. */
  classified(over: object = {}): Promise<void> {
    const document = { documentId: randomUUID(), code: 'D1', entityCode: 'E1', typeCodes: ['CONTRACT', 'LEASE'] };
    return this.bed.deliver(documentClassified, this.groupId, { ...document, ...over });
  }

  /** A service asks for a person. */
  request(subject: string): Promise<void> {
    const request = { processType: 'INGESTA', name: 'Review', description: 'x', priority: 'ALTA' } as const;
    return this.bed.deliver(processRequested, this.groupId, { ...request, subject });
  }
}
