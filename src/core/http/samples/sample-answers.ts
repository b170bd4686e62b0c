import { parseJson } from '../../domain/exact-json.ts';
import { pathParameters } from '../framework/routing/router.ts';
import { ofDemonstration } from '../openapi/document.ts';
import { type Documented, isDocumented } from '../openapi/error-codes.ts';
import { type Endpoint, takesPublishableKeys } from '../pipeline/endpoint.ts';
import type { SampleAnswer, SampleRequest } from '../pipeline/operation.ts';
import { inShapeOf } from './sample-shape.ts';

// limit: Answer in a sample | 20,000 characters | the demonstration's
const MAX_SAMPLE_LENGTH = 20_000;

/** Asks an endpoint in the name of nobody; undefined when it has no answer. @param body For a POST. */
export type AskSample = (address: string, body?: unknown) => Promise<unknown>;

/** A text of the declared samples with the days for which this service is asked. */
export type MoveDays = (text: string) => string;

/**
 * Whether its answers may be samples: they are the same for every key of a plan, and asking changes
 * nothing. So no answer of an account gets into a document.
 */
export function mayBeSampled(endpoint: Endpoint): boolean {
  const { access, method, bulk, streams } = endpoint;
  const changesNothing = method === 'GET' || bulk === true;
  return (
    (access === 'open' || takesPublishableKeys(endpoint)) && changesNothing && streams !== true
  );
}

/** The endpoint with samples that the service answers, where it has the figures. */
export async function withAnswers(
  endpoint: Endpoint,
  moved: MoveDays,
  ask: AskSample,
): Promise<Endpoint> {
  if (!isDocumented(endpoint)) return endpoint;
  const { operation } = endpoint;
  const isAsked = mayBeSampled(endpoint);
  const answers: [string, SampleAnswer][] = [];
  let isOwn = false;
  for (const [name, sample] of Object.entries(operation.answers)) {
    const { asked = isAsked && (operation.parameters ?? {}) } = sample;
    if (asked === false && !isAsked) {
      answers.push([name, sample]);
      continue;
    }
    const value =
      asked === false ? undefined : await sampleValue(endpoint, { ...sample, asked }, moved, ask);
    const composed = value === undefined ? await sample.composed?.(ask, moved) : undefined;
    isOwn ||= (value ?? composed) !== undefined && answers.length === 0;
    const summary = ofDemonstration(sample.summary);
    const declared = { ...sample, summary, ...(composed && { value: composed }) };
    answers.push([name, value === undefined ? declared : { ...sample, value }]);
  }
  const { parameters } = operation;
  return {
    ...endpoint,
    operation: {
      ...operation,
      // A request of the demonstration keeps the days of its answer.
      ...(isOwn && parameters !== undefined && { parameters: movedAll(parameters, moved) }),
      answers: Object.fromEntries(answers),
    },
  };
}

const movedAll = (parameters: Readonly<Record<string, string>>, moved: MoveDays) =>
  Object.fromEntries(Object.entries(parameters).map(([name, text]) => [name, moved(text)]));

async function sampleValue(
  endpoint: Documented,
  { asked, value }: Pick<SampleAnswer, 'value'> & { readonly asked: SampleRequest },
  moved: MoveDays,
  ask: AskSample,
): Promise<object | undefined> {
  const { path, operation } = endpoint;
  const address = typeof asked === 'string' ? asked : addressOf(path, movedAll(asked, moved));
  const answer = await ask(address, endpoint.bulk === true ? operation.body : undefined);
  // Its days too, by which rows are known.
  const declared = parseJson(moved(JSON.stringify(value)));
  const shown =
    answer && inShapeOf(declared, typeof asked === 'string' ? fieldsOf(answer, value) : answer);
  if (typeof shown !== 'object' || shown === null) return undefined;
  return JSON.stringify(shown).length > MAX_SAMPLE_LENGTH ? undefined : shown;
}

/** The fields of another address's answer that the sample has. A list that the answer lacks is empty. */
function fieldsOf(answer: unknown, sample: object): object {
  const given: Readonly<Record<string, unknown>> = { ...Object(answer) };
  const fields = Object.entries(sample).flatMap(([name, declared]) => {
    if (name in given) return [[name, given[name]] as const];
    const isEmptyList = Array.isArray(declared) && declared.length === 0;
    return isEmptyList ? [[name, declared] as const] : [];
  });
  return Object.fromEntries(fields);
}

function addressOf(path: string, parameters: Readonly<Record<string, string>>): string {
  const inPath = pathParameters(path);
  const filled = path.replaceAll(/:(\w+)/g, (_, name) =>
    encodeURIComponent(parameters[name] ?? ''),
  );
  const query = new URLSearchParams(
    Object.entries(parameters).filter(([name]) => !inPath.includes(name)),
  );
  return query.size === 0 ? filled : `${filled}?${query}`;
}
