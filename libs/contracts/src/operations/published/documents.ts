import * as documents from '../../documents';
import { publish } from '../operation';

publish(documents.listDocuments, { summary: 'List the documents that the caller may see.' });
publish(documents.getDocument, { summary: 'Show one document, and why it failed where it did.' });
publish(documents.getDocumentChunks, {
  summary: 'Show how a document begins, chunk by chunk: half of it at most, and never the whole.',
});
publish(documents.deleteDocument, {
  summary: 'Delete a document in whatever state it is; it comes back only when its file changes.',
  preview: documents.previewDocumentDeletion,
});
publish(documents.revertDocument, {
  summary: 'Take a document back to an earlier state; what was made after it is discarded and made again.',
  preview: documents.previewReversal,
});
publish(documents.reportMissingDocument, {
  summary: 'Take a document for missing now; it leaves search at once.',
  preview: documents.previewMissingReport,
});
publish(documents.setIngestionOrder, { summary: 'Move a document forward or back among those that wait.' });
publish(documents.listDocumentStatuses, { summary: 'List the states that documents go through.' });
publish(documents.countDocumentsByStatus, { summary: 'Count the documents that the caller sees by state.' });
