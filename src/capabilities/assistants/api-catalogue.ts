import { PAGE_MAX_AGE_SEC } from '../../core/http/framework/encoding/written-answer.ts';
import { writtenEndpoint } from '../../core/http/pipeline/endpoint.ts';
import { MCP_PATH } from './mcp-endpoint.ts';

const PATH = '/.well-known/api-catalog';
const CONTENT_TYPE =
  'application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"; charset=utf-8';

/** Where the addresses for programs are and what describes them (RFC 9727). */
export const apiCatalogue = (publicUrl: () => string) =>
  writtenEndpoint({
    path: PATH,
    access: 'open',
    anyOrigin: true,
    async handle() {
      const at = (path: string, type: string) => [{ href: `${publicUrl()}${path}`, type }];
      const described = {
        'service-doc': at('/docs', 'text/html'),
        status: at('/v1/status', 'application/json'),
      };
      const linkset = [
        {
          anchor: `${publicUrl()}/v1/`,
          'service-desc': at('/openapi.json', 'application/json'),
          ...described,
        },
        { anchor: `${publicUrl()}${MCP_PATH}`, ...described },
      ];
      return {
        contentType: CONTENT_TYPE,
        body: JSON.stringify({ linkset }),
        headers: [
          ...['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
          ...['Link', `<${publicUrl()}${PATH}>; rel="api-catalog"`],
        ],
      };
    },
  });
