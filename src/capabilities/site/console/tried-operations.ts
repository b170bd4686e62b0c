import {
  type ApiDocument,
  type ApiParameter,
  isTriedInConsole,
  referred,
} from '../../../core/http/openapi/api-document.ts';
import type { TriedOperation, TriedParameter } from './playground.ts';

/**
 * The operations that take a key, in the order of the document, without their headers: what the
 * forms of the playground need, since the whole document takes a slow phone seconds.
 */
export function triedOperations(document: ApiDocument): readonly TriedOperation[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([, operation]) => isTriedInConsole(operation))
      .map(([lower, operation]): TriedOperation => {
        const method = lower.toUpperCase();
        const parameters = operation.parameters
          .map((one) => referred(document.components.parameters, one))
          .filter((one) => one.in !== 'header');
        const common = {
          ...{ id: operation.operationId, name: `${method} ${path}`, method, path },
          ...{ summary: operation.summary, group: operation.tags[0] ?? '' },
          ...{ plan: operation['x-plan'], cost: operation['x-cost'] },
          parameters: parameters.map(triedParameter),
        };
        const [content] = Object.entries(operation.requestBody?.content ?? {});
        if (content === undefined) return common;
        const [contentType, { examples = {} }] = content;
        const [example] = Object.values(examples);
        const value = example === undefined || '$ref' in example ? {} : example.value;
        return { ...common, contentType, body: JSON.stringify(value, undefined, 2) };
      }),
  );
}

function triedParameter(parameter: ApiParameter): TriedParameter {
  const { name, in: place, required, description, example, schema } = parameter;
  return {
    ...{ name, in: place, required, description },
    example: example === undefined ? undefined : String(example),
    values: schema.enum?.map(String),
    isDay: schema.format === 'date' ? true : undefined,
  };
}
