/** A request as the console sends it, written in common languages. */

export const SAMPLE_NAMES = {
  curl: 'curl',
  javascript: 'JavaScript',
  python: 'Python',
  php: 'PHP',
};
export type SampleKind = keyof typeof SAMPLE_NAMES;

/** The keys of the table are its type. */
export const SAMPLE_KINDS = Object.keys(SAMPLE_NAMES) as readonly SampleKind[];

export interface SampledRequest {
  readonly method: string;
  readonly url: string;
  /** The key or a placeholder. */
  readonly key: string;
  /** The body, unchanged, with the type `contentType`. */
  readonly body?: string;
  readonly contentType?: string;
}

/** Code that makes the request and prints the answer, with the standard library alone. */
export function sampleOf(kind: SampleKind, request: SampledRequest): string {
  return { curl, javascript, python, php }[kind](request);
}

function headersOf({ key, body, contentType }: SampledRequest): readonly [string, string][] {
  const typed: readonly [string, string][] = [['Content-Type', contentType ?? 'application/json']];
  return [['X-API-Key', key], ...(body === undefined ? [] : typed)];
}

function curl(request: SampledRequest): string {
  const { method, url, body } = request;
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = [
    `curl ${method === 'GET' ? '' : `-X ${method} `}${quoted(url)}`,
    ...headersOf(request).map(([name, value]) => `-H ${quoted(`${name}: ${value}`)}`),
    ...(body === undefined ? [] : [`--data-raw ${quoted(body)}`]),
  ];
  return parts.join(' \\\n  ');
}

function javascript(request: SampledRequest): string {
  const { method, url, body } = request;
  const text = JSON.stringify;
  return [
    `const response = await fetch(${text(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    '  headers: {',
    ...headersOf(request).map(([name, value]) => `    ${text(name)}: ${text(value)},`),
    '  },',
    ...(body === undefined ? [] : [`  body: ${text(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Every JSON string is also a string in Python. */
function python(request: SampledRequest): string {
  const { method, url, body } = request;
  const text = JSON.stringify;
  return [
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${text(url)},`,
    `    method=${text(method)},`,
    '    headers={',
    ...headersOf(request).map(([name, value]) => `        ${text(name)}: ${text(value)},`),
    '    },',
    ...(body === undefined ? [] : [`    data=${text(body)}.encode(),`]),
    ')',
    'try:',
    '    response = urlopen(request)',
    'except HTTPError as error:',
    '    response = error',
    'print(response.status, response.read().decode())',
  ].join('\n');
}

function php(request: SampledRequest): string {
  const { method, url, body } = request;
  const text = (value: string) => `'${value.replaceAll(/[\\']/g, (one) => `\\${one}`)}'`;
  return [
    '<?php',
    `$answer = file_get_contents(${text(url)}, false, stream_context_create(['http' => [`,
    `    'method' => ${text(method)},`,
    "    'header' => [",
    ...headersOf(request).map(([name, value]) => `        ${text(`${name}: ${value}`)},`),
    '    ],',
    ...(body === undefined ? [] : [`    'content' => ${text(body)},`]),
    "    'ignore_errors' => true,",
    ']]));',
    'echo $answer, PHP_EOL;',
  ].join('\n');
}
