import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listening } from './listening.ts';

export type Answer = (request: IncomingMessage, response: ServerResponse) => void;

/** A real server on this machine with the test's answers. It ends with the test. */
export interface Upstream {
  readonly url: string;
  /** Requests so far. */
  readonly asked: number;
  /** Answers all further requests with this as JSON. */
  says(value: unknown): void;
  answers(answer: Answer): void;
  /** Stops answering. @returns a function that answers the waiting requests with this as JSON. */
  hangs(): (value: unknown) => void;
}

export async function startUpstream(): Promise<Upstream> {
  let asked = 0;
  let answer: Answer = (_request, response) => response.writeHead(404).end();
  const server = createServer((request, response) => {
    asked += 1;
    answer(request, response);
  });
  const address = await listening(server);
  return {
    url: `${address}/`,
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
