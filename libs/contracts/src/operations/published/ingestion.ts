import * as ingestion from '../../ingestion';
import { publish } from '../operation';

publish(ingestion.listRuns, { summary: 'List the runs over visible locations, the latest first.' });
publish(ingestion.startIngestionRun, { summary: 'Scan a location and work on what it finds.' });
publish(ingestion.advanceIngestionRun, { summary: 'Work on what waits of a run now, failed pieces included.' });
publish(ingestion.cancelIngestionRun, {
  summary: 'Withdraw the waiting work of a run; its documents stay as they are until the next scan.',
  preview: ingestion.previewCancellation,
});
publish(ingestion.listOrphans, {
  summary: 'List the work on visible documents that nobody has had in hand for five minutes.',
});
publish(ingestion.listRunQueue, { summary: 'List the work of one run.' });
publish(ingestion.summarisePipeline, { summary: 'Count the work on visible documents by kind and state.' });
publish(ingestion.batchStatus, { summary: 'Tell how far each of up to a hundred documents is.' });
publish(ingestion.processBatch, { summary: 'Work on what waits or failed of up to a hundred documents now.' });
publish(ingestion.updateRun, { summary: 'Move the documents of a run forward or back among what waits.' });
