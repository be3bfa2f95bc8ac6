import {
  isJSONRPCRequest,
  isJSONRPCResultResponse,
  type JSONRPCMessage,
  type RequestId,
  SdkHttpError,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';
import type { Profile } from './profiles';

const INTERNAL_ERROR = -32_603;

/** The error of the service, whose body has the code and the request id, or that nothing answered. */
const dataOf = (error: unknown): object => {
  const text = error instanceof SdkHttpError ? String(error.data.text ?? '') : '';
  try {
    return JSON.parse(text) as object;
  } catch {
    return { code: error instanceof SdkHttpError ? 'UNEXPECTED_ANSWER' : 'CONNECTION_FAILED' };
  }
};

const failureOf = (id: RequestId, error: unknown): JSONRPCMessage => {
  const data = dataOf(error);
  const message: unknown = Reflect.get(data, 'message');
  const said =
    typeof message === 'string' ? message : 'Acervo does not answer: acervo login --url URL sets its address.';
  return { jsonrpc: '2.0', id, error: { code: INTERNAL_ERROR, message: said, data } };
};

/**
 * Sends each message of the standard input to `/mcp`, and what is answered to the standard output, until the input
 * ends. A request that no answer is had for is answered with an error. It knows no tool.
 */
export const bridge = async ({ url, key }: Profile): Promise<void> => {
  const own = new StdioServerTransport();
  const service = new StreamableHTTPClientTransport(new URL('/mcp', url), {
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const ended = new Promise<void>((resolve) => {
    own.onclose = resolve;
    process.stdin.once('end', resolve);
  });
  service.onmessage = (message: JSONRPCMessage) => {
    // Later requests of a client of 2025 name the version that its first one agreed on.
    const version: unknown = isJSONRPCResultResponse(message) ? message.result['protocolVersion'] : undefined;
    if (typeof version === 'string') service.setProtocolVersion(version);
    void own.send(message);
  };
  own.onmessage = (message: JSONRPCMessage) => {
    service
      .send(message)
      .catch((error: unknown) => (isJSONRPCRequest(message) ? own.send(failureOf(message.id, error)) : undefined));
  };
  await service.start();
  await own.start();
  await ended;
  await service.close();
  await own.close();
};
