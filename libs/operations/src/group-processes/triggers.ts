import { ProcessRefused } from '../processes/processes.errors';
import type { TriggerColumns } from './group-process.store';

/** What a request says of a trigger; absent fields stay. */
export interface TriggerRequest {
  readonly trigger?: TriggerColumns['trigger'] | undefined;
  readonly documentTypeCode?: string | null | undefined;
  readonly period?: TriggerColumns['period'] | undefined;
}

const BY_HAND: TriggerColumns = { trigger: 'A_MANO', documentTypeCode: null, period: null };

/**
 * What starts a definition after a change. Another trigger begins without the type or the period of the one before.
 * @throws ProcessRefused for a trigger without what it needs, and for a type or a period that it does not need
 */
export const triggerOf = (request: TriggerRequest, present: TriggerColumns = BY_HAND): TriggerColumns => {
  const trigger = request.trigger ?? present.trigger;
  const before = trigger === present.trigger ? present : BY_HAND;
  const { documentTypeCode = before.documentTypeCode, period = before.period } = request;
  const isByDocument = trigger === 'DOCUMENTO_CLASIFICADO';
  const isByCalendar = trigger === 'CALENDARIO';
  if (isByDocument && documentTypeCode === null) throw new ProcessRefused('TYPE_MISSING', 'document_type_code');
  if (!isByDocument && documentTypeCode !== null)
    throw new ProcessRefused('TYPE_WITHOUT_TRIGGER', 'document_type_code');
  if (isByCalendar && period === null) throw new ProcessRefused('PERIOD_MISSING', 'period');
  if (!isByCalendar && period !== null) throw new ProcessRefused('PERIOD_WITHOUT_TRIGGER', 'period');
  return { trigger, documentTypeCode, period };
};
