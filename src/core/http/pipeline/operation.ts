import type { z } from 'zod';
import { type Sentence, sentence } from '../../domain/errors/sentence.ts';
import type { ReferenceGroup } from './reference-groups.ts';

/** The documentation of an endpoint. */
export interface Operation {
  /** Name of the operation in the reference and in clients; never renamed. */
  readonly id: string;
  readonly tag: ReferenceGroup;
  /** Name of the answer among the component schemas. */
  readonly schema?: string;
  /** Name of the body among the component schemas. */
  readonly bodySchema?: string;
  /** Parameters of the request that the first example answers. */
  readonly parameters?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** What the service sends to the address that a request of this operation names. */
  readonly messages?: readonly DocumentedMessage[];
  /** Example answers by name. Pages show the first one first. */
  readonly answers: Readonly<Record<string, SampleAnswer>>;
}

/** An answer of the demonstration, in whose place a service shows its own. */
export interface SampleAnswer {
  readonly summary: Sentence;
  readonly value: object;
  /** Its request, if it has not the parameters of the operation; false for a state that a service seldom has. */
  readonly asked?: SampleRequest | false;
  /** Where the service has no such answer: what is declared, with figures that the service has. */
  readonly composed?: ComposeSample;
}

/**
 * @param ask What the service answers by GET; undefined for a refusal.
 * @param moved A text of the declared samples with the days for which the service is asked.
 */
export type ComposeSample = (
  ask: (address: string) => Promise<unknown>,
  moved: (text: string) => string,
) => Promise<object | undefined>;

/** The parameters of the request, or another address whose answer has the same fields. */
export type SampleRequest = Readonly<Record<string, string>> | string;

/** A message that the service sends, as the reference lists it under `webhooks`. */
export interface DocumentedMessage {
  readonly name: string;
  readonly summary: Sentence;
  readonly schema: z.ZodObject;
  readonly example: object;
}

/** The answers of an operation with a single example. */
export function oneExample(
  en: string,
  es: string,
  value: object,
  how: Pick<SampleAnswer, 'asked' | 'composed'> = {},
): Operation['answers'] {
  return { answer: { summary: sentence(en, es), value, ...how } };
}
