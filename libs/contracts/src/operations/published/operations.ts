import { listAudit } from '../audit-calls';
import { publish } from '../operation';

publish(listAudit, { summary: 'List what was written or refused in the group, the latest first.' });
