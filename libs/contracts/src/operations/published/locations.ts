import * as ingestion from '../../ingestion';
import { publish } from '../operation';

publish(ingestion.listLocations, { summary: 'List the folders that the caller sees, level by level or by name.' });
publish(ingestion.createLocation, {
  summary: 'Add a folder below one that the operator opened to the group, and scan it.',
});
publish(ingestion.updateLocation, {
  summary: 'Rename a location; its documents follow with the scan that this starts.',
});
publish(ingestion.syncLocation, { summary: 'Scan a location anew, and believe deletions where that is said.' });
publish(ingestion.deleteLocation, {
  summary: 'Take a location out with everything in it; its files stay where they are.',
  preview: ingestion.previewLocationDeletion,
});
publish(ingestion.previewLocationDeletion, { summary: 'Count what the deletion of a location would take out.' });
publish(ingestion.rebuildHierarchy, {
  summary: 'Derive the tree of a location again from the paths of its documents.',
});
