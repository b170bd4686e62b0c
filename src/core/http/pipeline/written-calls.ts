import type { ApiError } from '../../domain/errors.ts';
import type { AnswerStream } from '../framework/encoding/answer-stream.ts';
import type { WrittenAnswer } from '../framework/encoding/written-answer.ts';
import type { ParameterReader } from '../framework/routing/parameters.ts';
import type { Call, Handling } from './call.ts';
import { type CalledEndpoint, type CallParts, EndpointCall } from './endpoint-call.ts';
import type { ServiceRequest } from './service-request.ts';

/** The call of an endpoint that streams, which goes on after its handler. */
export interface StreamingCall<Input = unknown> extends Call<Input> {
  /** The key as it was sent; undefined without one. */
  readonly presentedKey: string | undefined;
  readonly address: string;
  /** What the client says of the last event that it got. */
  readonly lastEventId: string | undefined;
  /** The body of an error, in the language of the request. */
  errorText(error: ApiError): string;
}

/** The functions of an endpoint that streams. */
export interface Streaming<Input> extends Pick<Handling<Input, never, never>, 'markets'> {
  /** Runs after every check, before the first byte. @throws ApiError in place of the stream. */
  stream(call: StreamingCall<Input>): Promise<AnswerStream>;
}

export class StreamCall<Input>
  extends EndpointCall<Input, never, AnswerStream>
  implements StreamingCall<Input>
{
  readonly #request: ServiceRequest;
  readonly #parts: CallParts;

  constructor(
    endpoint: CalledEndpoint,
    { markets, stream }: Streaming<Input>,
    readParameters: ParameterReader<Input>,
    request: ServiceRequest,
    parts: CallParts,
  ) {
    const handling: Handling<Input, never, AnswerStream> = {
      ...(markets && { markets }),
      handle: () => stream(this),
    };
    super(endpoint, handling, readParameters, request, parts);
    this.#request = request;
    this.#parts = parts;
  }

  async stream(): Promise<AnswerStream> {
    this.snapshot = this.services.snapshots.at(this.now);
    return this.handled();
  }

  get presentedKey(): string | undefined {
    return this.#request.keys[0];
  }

  get address(): string {
    return this.#request.address();
  }

  get lastEventId(): string | undefined {
    return this.#request.headers.lastEventId;
  }

  errorText(error: ApiError): string {
    return this.#parts.errorText(error, this.#request);
  }
}

/** The call of an endpoint that writes its bytes itself. */
export class WrittenCall<Input, Body> extends EndpointCall<Input, Body, WrittenAnswer> {
  async written(): Promise<WrittenAnswer> {
    this.snapshot = this.services.snapshots.at(this.now);
    return this.handled();
  }
}
