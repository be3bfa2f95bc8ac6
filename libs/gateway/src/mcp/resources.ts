import {
  type ListResourcesResult,
  ProtocolError,
  ProtocolErrorCode,
  type ReadResourceResult,
  type ResourceTemplateType,
} from '@modelcontextprotocol/server';
import type { AgentGate } from './agent-gate';

const PREFIX = 'acervo://documents/';
/** So many of the longest descriptions stay below the most bytes of a result. */
const PAGE = 25;
const JSON_TYPE = 'application/json';
const CURSOR = /^[1-9]\d{0,6}$/;

export const templates: ResourceTemplateType[] = [
  {
    uriTemplate: `${PREFIX}{code}`,
    name: 'document',
    description: 'State, place, summary and first passages of a document; never the whole document',
    mimeType: JSON_TYPE,
  },
];

interface Listed {
  readonly code: string;
  readonly name: string;
  readonly summary?: string;
}

const invalid = (message: string): ProtocolError => new ProtocolError(ProtocolErrorCode.InvalidParams, message);

/** A page of the documents that the caller lists; a caller that lists none reads those whose codes it has. */
export const listResources = async (gate: AgentGate, cursor = '1'): Promise<ListResourcesResult> => {
  if (!CURSOR.test(cursor)) throw invalid('The cursor is none of an earlier answer.');
  const page = Number(cursor);
  const listed = await gate.find('list_documents', { page, limit: PAGE });
  const documents = (listed?.['documents'] ?? []) as readonly Listed[];
  const resources = documents.map(({ code, name, summary }) => ({
    uri: `${PREFIX}${encodeURIComponent(code)}`,
    name,
    mimeType: JSON_TYPE,
    ...(summary ? { description: summary } : {}),
  }));
  const isLast = page * PAGE >= Number(listed?.['total'] ?? 0);
  return { resources, ...(isLast ? {} : { nextCursor: String(page + 1) }) };
};

const codeOf = (uri: string): string => {
  try {
    const code = uri.startsWith(PREFIX) ? decodeURIComponent(uri.slice(PREFIX.length)) : '';
    if (code !== '') return code;
  } catch {
    // A broken escape is an unknown document.
  }
  throw invalid(`A document is ${PREFIX}{code}.`);
};

/** The detail of a document, and its first passages where the caller has them. @throws NotFound for an unseen one */
export const readResource = async (gate: AgentGate, uri: string): Promise<ReadResourceResult> => {
  const reference = { document_code: codeOf(uri) };
  const document = await gate.call('get_document', reference);
  const chunks = await gate.find('documents_get_chunks', reference);
  const text = JSON.stringify({ document, ...(chunks === null ? {} : { first_passages: chunks }) });
  return { contents: [{ uri, mimeType: JSON_TYPE, text }] };
};
