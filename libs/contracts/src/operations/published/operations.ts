import { listAudit } from '../audit-calls';
import { getFunction } from '../functions';
import { publish } from '../operation';

publish(listAudit, { summary: 'List what was written or refused in the group, the latest first.' });
publish(getFunction, {
  summary: 'Show a screen of the application: what it is for, how it behaves, which operations it uses.',
});
