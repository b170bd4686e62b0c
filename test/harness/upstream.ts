import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on this machine that says what a test wants, and is gone after it. */
export interface Upstream {
  readonly url: string;
  /** Requests so far. */
  readonly asked: number;
  /** Answers with this as JSON from now on. */
  says(value: unknown): void;
  answers(answer: Answer): void;
  /** Answers nothing. @returns what lets the waiting requests have this as JSON. */
  hangs(): (value: unknown) => void;
}

export async function startUpstream(): Promise<Upstream> {
  let asked = 0;
  let answer: Answer = (_request, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  // A server that listens on a port has an address object.
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}/`,
    get asked() {
      return asked;
    },
    says(value) {
      answer = (_request, response) => sendJson(response, value);
    },
    answers(given) {
      answer = given;
    },
    hangs() {
      const waiting: ServerResponse[] = [];
      answer = (_request, response) => waiting.push(response);
      return (value) => {
        for (const response of waiting.splice(0)) sendJson(response, value);
      };
    },
  };
}

function sendJson(response: ServerResponse, value: unknown): void {
  response.writeHead(200, { 'Content-Type': 'application/json' }).end(JSON.stringify(value));
}
