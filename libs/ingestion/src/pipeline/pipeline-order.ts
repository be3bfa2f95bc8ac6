import type { Stage } from '@acervo/platform-queue';
import type { DocumentStatus, PipelineProcess } from '@acervo/public-mapping';
import type { PipelineRow } from './pipeline-table';
import type { StepKeys } from '../reading/pipeline-settings';
import { VECTORS } from '../kernel/stages';
import { columnOf } from '../document-state/working-document.store';

/** A state that documents leave by themselves. */
export interface Milestone {
  readonly status: DocumentStatus;
  /** The stage that continues from this state. */
  readonly next: Stage;
}

/** How a document returns to an earlier state. */
export interface Reversal extends Milestone {
  /** Columns that must be filled to continue from that state. */
  readonly retained: readonly string[];
  readonly discarded: readonly string[];
  /** Stages whose remembered results are discarded. */
  readonly repeated: readonly string[];
}

/** The result that a stage remembers. */
export interface RememberedResult {
  readonly stage: string;
  readonly key: keyof StepKeys;
}

const columnsOf = (rows: readonly PipelineRow[]): string[] => rows.flatMap(({ columns }) => columns.map(columnOf));

const assertWay = (rows: readonly PipelineRow[]): void =>
  rows.slice(1).forEach(({ stage, from }, before) => {
    const { stage: last, to } = rows[before] ?? {};
    if (to !== from)
      throw new Error(`pipeline-table.ts: ${last?.name} ends in ${to}, and ${stage.name} begins in ${from}.`);
  });

const assertComplete = (
  { stage, step, from, to, isNew }: PipelineRow,
  at: number,
  rows: readonly PipelineRow[],
): void => {
  if (rows.findIndex((row) => row.stage.name === stage.name) !== at)
    throw new Error(`pipeline-table.ts has two rows of ${stage.name}.`);
  if (step === null && at < rows.length - 1)
    throw new Error(`pipeline-table.ts names no step for ${stage.name}; only the last row hands over.`);
  // A task of the stage behind it would return to it for ever.
  if (isNew === true && from === to)
    throw new Error(`pipeline-table.ts: ${stage.name} has no state of its own, so it cannot be new.`);
};

/** What follows from the order of the stages. */
export class PipelineOrder {
  /** The stages of a document before it is searchable, in order. */
  readonly stages: readonly Stage[];
  /** All work on single documents, by the kind that the queue shows. */
  readonly processes: readonly { readonly stage: Stage; readonly process: PipelineProcess }[];
  /** States that a document leaves by itself, in order. */
  readonly states: readonly DocumentStatus[];
  /** All columns that the stages fill. */
  readonly columns: readonly string[];
  readonly remembered: readonly RememberedResult[];

  /** @throws when the rows are no way from one state to the next, or a row is incomplete; the message names the row */
  constructor(private readonly rows: readonly PipelineRow[]) {
    assertWay(rows);
    rows.forEach(assertComplete);
    this.stages = rows.map(({ stage }) => stage);
    this.processes = [
      ...rows.map(({ stage, publicProcess: process }) => ({ stage, process })),
      { stage: VECTORS, process: 'vectors' },
    ];
    this.states = [...new Set(rows.map(({ from }) => from))];
    this.columns = columnsOf(rows);
    this.remembered = rows.flatMap(({ stage, resultKey: key }) => (key === null ? [] : [{ stage: stage.name, key }]));
  }

  /** The row of a stage; undefined for a stage of another kind. */
  rowOf({ name }: Stage): PipelineRow | undefined {
    return this.rows.find(({ stage }) => stage.name === name);
  }

  /** The row that continues behind a row. @throws for the last one */
  after(row: PipelineRow): PipelineRow {
    const next = this.rows.slice(this.rows.indexOf(row) + 1).find(({ isRetired }) => isRetired !== true);
    if (next === undefined) throw new Error(`No stage follows ${row.stage.name}.`);
    return next;
  }

  /**
   * The row that a task begins with; undefined where the document is past it. Stages that programs of the last release
   * do not know are made up for.
   */
  beginning(row: PipelineRow, status: DocumentStatus): PipelineRow | undefined {
    let first = this.rows.indexOf(row);
    while (this.rows[first - 1]?.isNew === true) first -= 1;
    return this.rows.slice(first, this.rows.indexOf(row) + 1).find(({ from }) => from === status);
  }

  /** The milestone of a state; undefined for a state that documents do not leave by themselves. */
  milestoneAt(status: DocumentStatus): Milestone | undefined {
    const row = this.rows.find(({ from, isRetired }) => from === status && isRetired !== true);
    return row === undefined ? undefined : { status, next: row.stage };
  }

  /** The reversal to a state; undefined where documents cannot return to it. */
  reversalTo(status: DocumentStatus): Reversal | undefined {
    const milestone = this.milestoneAt(status);
    if (milestone === undefined) return undefined;
    const place = this.rows.findIndex(({ from }) => from === status);
    const [before, behind] = [this.rows.slice(0, place), this.rows.slice(place)];
    return {
      ...milestone,
      retained: columnsOf(before).filter((column) => column.endsWith('_object')),
      discarded: columnsOf(behind),
      repeated: behind.map(({ stage }) => stage.name),
    };
  }
}
