/** A request, written in common languages. */

/** The languages among which a reader chooses, by the kind of their blocks. */
export const CODE_KINDS = ['sh', 'js', 'python', 'php'] as const;
export type CodeKind = (typeof CODE_KINDS)[number];

export const CODE_NAMES: Readonly<Record<CodeKind, string> & Record<string, string>> = {
  ...{ sh: 'curl', js: 'JavaScript', python: 'Python', php: 'PHP' },
};

export interface SampledRequest {
  readonly method: string;
  readonly url: string;
  /** Without it the code reads the key from the environment variable `VESFX_KEY`. */
  readonly key?: string | undefined;
  /** The body, unchanged, with the type `contentType`. */
  readonly body?: string;
  readonly contentType?: string;
}

/** Code that makes the request and prints the answer, with the standard library alone. */
export function sampleOf(kind: CodeKind, request: SampledRequest): string {
  if (kind === 'sh') return curl(request, [`X-API-Key: ${request.key ?? '$VESFX_KEY'}`]);
  return { js: javascript, python, php }[kind](request);
}

const contentTypeOf = ({ contentType = 'application/json' }: SampledRequest) => contentType;

/** A command for a shell, which fills in a variable of `credentials`. */
export function curl(
  { method, url, body, contentType = 'application/json' }: Omit<SampledRequest, 'key'>,
  credentials: readonly string[],
): string {
  // A shell changes nothing between single quotes.
  const quoted = (text: string) => `'${text.replaceAll("'", "'\\''")}'`;
  const [address = '', query] = method === 'GET' ? url.split('?') : [url];
  const call = [
    'curl',
    ...(query === undefined ? [] : ['-G']),
    ...(method === 'GET' ? [] : [`-X ${method}`]),
    ...credentials.map((one) => `-H "${one}"`),
  ].join(' ');
  const data =
    body === undefined ? [] : [`-H "Content-Type: ${contentType}"`, `--data-raw ${quoted(body)}`];
  // What is long, the query too, stands on lines of its own, which fit a page.
  const sent = query === undefined ? data : [`-d ${quoted(query)}`];
  return [call, ...sent, quoted(address)].join(call === 'curl' ? ' ' : ' \\\n  ');
}

function javascript(request: SampledRequest): string {
  const { method, url, key, body } = request;
  const text = JSON.stringify;
  return [
    `const response = await fetch(${text(url)}, {`,
    ...(method === 'GET' ? [] : [`  method: ${text(method)},`]),
    '  headers: {',
    `    "X-API-Key": ${key === undefined ? 'process.env.VESFX_KEY' : text(key)},`,
    ...(body === undefined ? [] : [`    "Content-Type": ${text(contentTypeOf(request))},`]),
    '  },',
    ...(body === undefined ? [] : [`  body: ${text(body)},`]),
    '});',
    'console.log(response.status, await response.text());',
  ].join('\n');
}

/** Every JSON string is also a string in Python. */
function python(request: SampledRequest): string {
  const { method, url, key, body } = request;
  const text = JSON.stringify;
  return [
    ...(key === undefined ? ['import os'] : []),
    'from urllib.error import HTTPError',
    'from urllib.request import Request, urlopen',
    '',
    'request = Request(',
    `    ${text(url)},`,
    `    method=${text(method)},`,
    '    headers={',
    `        "X-API-Key": ${key === undefined ? 'os.environ["VESFX_KEY"]' : text(key)},`,
    ...(body === undefined ? [] : [`        "Content-Type": ${text(contentTypeOf(request))},`]),
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
  const { method, url, key, body } = request;
  const text = (value: string) => `'${value.replaceAll(/[\\']/g, (one) => `\\${one}`)}'`;
  return [
    '<?php',
    `$answer = file_get_contents(${text(url)}, false, stream_context_create(['http' => [`,
    `    'method' => ${text(method)},`,
    "    'header' => [",
    `        ${key === undefined ? "'X-API-Key: ' . getenv('VESFX_KEY')" : text(`X-API-Key: ${key}`)},`,
    ...(body === undefined ? [] : [`        ${text(`Content-Type: ${contentTypeOf(request)}`)},`]),
    '    ],',
    ...(body === undefined ? [] : [`    'content' => ${text(body)},`]),
    "    'ignore_errors' => true,",
    ']]));',
    'echo $answer, PHP_EOL;',
  ].join('\n');
}
