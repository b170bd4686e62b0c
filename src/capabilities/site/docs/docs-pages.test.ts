import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { documentedEndpoints, referenceDocument } from '../../../../scripts/reference.ts';
import { loadCatalogue } from '../../../core/catalogue/catalogue.ts';
import { loadJudgement } from '../../../core/catalogue/judgement.ts';
import { sentence } from '../../../core/domain/errors/sentence.ts';
import { VALUE_RULES } from '../../../core/domain/errors/value-rules.ts';
import { RECORDS, RELEASES, RULES } from '../../../core/domain/judgement/rules.ts';
import { markets as marketsOf } from '../../../core/domain/markets.ts';
import { LANGUAGES, type Language } from '../../../core/domain/words/language.ts';
import { status } from '../../../core/http/endpoints/status.ts';
import { markupOf } from '../../../core/http/framework/encoding/markup.ts';
import type { ApiDocument } from '../../../core/http/openapi/api-document.ts';
import { TABS } from '../console/browser/tabs.ts';
import { viewOf } from '../frame/page-view.ts';
import { GUIDE_NAMES, type GuideName, guideFile } from '../guides/guides.ts';
import { ageInWords, methodologyText } from '../methodology/methodology-text.ts';
import { anchorOf, headingsOf, markdownHtml, markdownTable } from '../text/markdown.ts';
import { SWITCHING_TEXTS } from '../texts/texts.ts';
import { REFERENCE_ERRORS, REFERENCE_TAGS } from './docs-addresses.ts';
import { referenceMarkdown, referencePartMarkdown } from './docs-markdown.ts';
import { groupPage, referenceErrorsPage, referencePage } from './docs-page.ts';
import { docsGroups } from './docs-places.ts';
import { guidePage, guideText, methodologyPage } from './markdown-page.ts';
import { curlLine, referenceText, type ShownOperation } from './reference.ts';
import { startPage } from './start-page.ts';

const { plans, markets } = loadCatalogue('catalog');
const { rules } = loadJudgement('catalog');
const publicUrl = 'http://127.0.0.1:8080';
const documents = { en: referenceDocument(publicUrl), es: referenceDocument(publicUrl, 'es') };
const document = documents.en;
const samplesOf = (one: ApiDocument) => ({ day: undefined, document: () => one });
const handedOut = [
  {
    path: '/client/a.zip',
    about: sentence('A file', 'Un archivo'),
    sha256: 'a0'.repeat(32),
    install: (address: string) => `curl -fO ${address} && unzip a.zip`,
  },
];

function view(path: string, language: Language) {
  const query = new URLSearchParams({ lang: language });
  const assets = (name: string) => `/assets/${name}`;
  return viewOf(
    { path, query, acceptLanguage: undefined },
    { notice: undefined, assets, publicUrl },
  );
}

/** What a reader sees of markup; code without its colours. */
function textOf(markup: string): string {
  return markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:quot|lt|gt|amp|#x27);/g, (one) => ENTITIES[one] ?? one);
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&quot;': '"',
  '&lt;': '<',
  '&gt;': '>',
  '&amp;': '&',
  '&#x27;': "'",
};

const commandOf = ({ codes }: Pick<ShownOperation, 'codes'>) => codes[0]?.text ?? '';

describe('the reference in Spanish', () => {
  test('leaves the answers of examples unchanged', () => {
    const answers = (of: typeof document) =>
      of.paths['/v1/status']?.['get']?.responses['200']?.content?.['application/json'];
    const value = (of: typeof document) => Object.values(answers(of)?.examples ?? {})[0];
    const spanish = documents.es;
    expect(value(spanish)).toMatchObject({
      summary: 'Una fuente con fallas y la que la reemplaza',
    });
    expect(value(spanish)).toHaveProperty('value', status.operation?.answers['answer']?.value);
    expect(Object.keys(spanish.paths)).toEqual(Object.keys(document.paths));
  });

  test.each(LANGUAGES)(
    'gives plan, cost and scope once, in the line of facts, language %s',
    (language) => {
      const groups = referenceText(samplesOf(documents[language]), plans, language).groups;
      for (const { description, facts } of groups.flatMap(({ operations }) => operations)) {
        expect(facts.length).toBeGreaterThan(1);
        expect(description).not.toMatch(/^(Every plan|From \w+|Todos los planes|Desde \w+)\. /m);
        expect(description).not.toMatch(
          /^(A restricted key needs|Una clave restringida necesita)/m,
        );
      }
      const convert = groups
        .flatMap(({ operations }) => operations)
        .find(({ id }) => id === 'convert');
      expect(convert?.facts.at(-1)).toBe(`${language === 'es' ? 'permiso' : 'scope'} \`rates\``);
    },
  );

  test('describes every field of every body and answer', () => {
    const groups = referenceText(samplesOf(document), plans, 'en').groups;
    const tables = groups.flatMap(({ operations }) =>
      operations.flatMap(({ id, answer, body }) =>
        [...(answer?.fields ?? []), ...(body?.fields === undefined ? [] : [body.fields])].flatMap(
          ({ rows }) => rows.map((row) => ({ place: `${id} ${row[0]}`, meaning: row.at(-1) })),
        ),
      ),
    );
    expect(tables.length).toBeGreaterThan(150);
    expect(tables.filter(({ meaning }) => meaning === '')).toEqual([]);
  });
});

describe.each(LANGUAGES)('the reference, language %s', (language) => {
  const reference = referenceText(samplesOf(documents[language]), plans, language);
  const pages = new Map([
    ['/docs', startPage(view('/docs', language), reference)],
    ['general', referencePage(view('/docs/reference', language), reference)],
    ['errors', referenceErrorsPage(view(REFERENCE_ERRORS, language), reference)],
    ...REFERENCE_TAGS.map(
      (tag) => [tag, groupPage(view('/docs/reference/a', language), reference, tag)] as const,
    ),
  ]);
  const markdown = referenceMarkdown(reference);

  test('the start page leads to every guide, endpoint and file for programs, and its command has a key', () => {
    const page = pages.get('/docs') ?? '';
    const paths = [...GUIDE_NAMES.map((name) => `/docs/${name}`), '/llms.txt', '/docs/board-data'];
    for (const path of paths) expect(page).toContain(`<li><a href="${path}?lang=${language}"`);
    for (const { id } of operations) expect(page).toContain(`#${id}"`);
    expect(page).toContain('href="/openapi.json"');
    expect(textOf(page)).toMatch(/export VESFX_KEY="(?:su clave|your key)"\ncurl /);
  });

  const { groups } = reference;
  const operations = groups.flatMap((group) => group.operations);

  test('has every endpoint with an example, its errors, its cost and who may call it', () => {
    expect(operations).toHaveLength(documentedEndpoints.length);
    for (const { tag, operations: shown } of groups) {
      const page = pages.get(tag) ?? '';
      const text = textOf(page);
      for (const { id, method, path, title, facts, codes, answer, errors } of shown) {
        expect(page).toContain(`<section class="operation" id="${id}">`);
        expect(page).toContain(`<h2>${markupOf(title)}</h2>`);
        expect(page).toContain(`<span class="method">${method}</span> <span>${path}</span>`);
        for (const code of codes) expect(text).toContain(code.text);
        expect(facts.length, id).toBeGreaterThan(1);
        expect(errors.rows.length).toBeGreaterThan(2);
        expect(answer?.status).toMatch(/^20[0124]$/);
        expect(answer?.examples.length === 0, id).toBe(answer?.status === '204');
        for (const example of answer?.examples ?? []) expect(text).toContain(example.text);
      }
    }
    const errorsPage = pages.get('errors') ?? '';
    const words = document['x-rules'].map(({ rule }) => rule);
    expect(words).toEqual(Object.keys(VALUE_RULES));
    for (const code of [...words, ...document['x-errors'].map((error) => error.code)]) {
      expect(errorsPage).toContain(`<code>${code}</code>`);
    }
    expect(errorsPage).not.toMatch(/<th[^>]*><\/th>/);
    for (const { name } of plans.list) expect(errorsPage).toContain(`>${name}</th>`);
  });

  test('has a page for each group, in the order of the document, and no page is longer than a third', () => {
    expect(document.tags.map(({ name }) => name).toSorted()).toEqual(REFERENCE_TAGS.toSorted());
    const sizes = [...pages.values()].map(({ length }) => length);
    const all = sizes.reduce((sum, size) => sum + size, 0);
    expect(Math.max(...sizes)).toBeLessThan(all / 2);
  });

  test('a program that sends a key is shown in four languages', () => {
    const page = pages.get('Conversion') ?? '';
    const [, section = ''] = /id="convert">([\s\S]*?)<\/section>/.exec(page) ?? [];
    expect([...section.matchAll(/<div data-code="(\w+)">/g)].map(([, kind]) => kind)).toEqual([
      'sh',
      'js',
      'python',
      'php',
    ]);
  });

  test('each old address of the one page leads from the start page to its place', () => {
    const start = pages.get('/docs') ?? '';
    const moved = [...start.matchAll(/<li id="([\w-]+)"><a class="moved" href="([^"]*)"/g)];
    expect(moved.map(([, id]) => id)).toEqual([
      ...operations.map(({ id }) => id),
      ...['headers', 'errors', 'plans'],
    ]);
    for (const id of ['guides', 'start']) expect(start).toContain(`id="${id}"`);
    for (const [, id, address = ''] of moved) expect(address.split('#')[1]).toBe(id);
  });

  test('has the same content as Markdown', () => {
    for (const {
      method,
      path,
      title,
      description,
      codes,
      parameters,
      answer,
      errors,
    } of operations) {
      expect(markdown).toContain(`### ${title}\n\n\`${method} ${path}\``);
      expect(markdown).toContain(description);
      expect(markdown).toContain(commandOf({ codes }));
      if (parameters !== undefined) expect(markdown).toContain(markdownTable(parameters));
      expect(markdown).toContain(markdownTable(errors));
      for (const { text } of answer?.examples ?? []) expect(markdown).toContain(text);
    }
    expect(headingsOf(markdown)[0]?.depth).toBe(1);
  });

  test('each group says that its figures are samples, also in its Markdown', () => {
    for (const { tag } of groups) {
      for (const text of [pages.get(tag), referencePartMarkdown(reference, tag)]) {
        expect(text).toContain(reference.samplesSaid);
      }
    }
  });

  test('each group has its own Markdown', () => {
    for (const { tag, name, operations: shown } of groups) {
      const part = referencePartMarkdown(reference, tag);
      expect(part).toMatch(new RegExp(`^# ${name}\n`));
      for (const one of shown) expect(part).toContain(commandOf(one));
      for (const one of operations.filter((each) => !shown.includes(each))) {
        expect(part).not.toContain(`${commandOf(one)}\n\`\`\``);
      }
    }
    const errors = referencePartMarkdown(reference);
    for (const { code } of document['x-errors']) expect(errors).toContain(`\`${code}\``);
  });

  test.each([...pages.keys()])('%s has unique ids and no dead internal link', (name) => {
    const page = pages.get(name) ?? '';
    const ids = [...page.matchAll(/\sid="([^"]*)"/g)].map(([, id]) => id);
    expect(new Set(ids).size).toBe(ids.length);
    for (const [, target] of page.matchAll(/href="#([^"]*)"/g)) expect(ids).toContain(target);
  });
});

test('types show values, null among them, as code', () => {
  const tables = referenceText(samplesOf(documents.es), plans, 'es').groups.flatMap(
    ({ operations }) =>
      operations.flatMap(({ body, answer }) => [
        ...(body?.fields === undefined ? [] : [body.fields]),
        ...(answer?.fields ?? []),
      ]),
  );
  const types = new Set(tables.flatMap(({ rows }) => rows.map((row) => row[1])));
  expect([...types].filter((type) => type?.replaceAll(/`\w+`/g, '').includes('null'))).toEqual([]);
  expect(types).toContain('texto o `null`');
  expect(types).toContain('fecha y hora o `null`');
});

test('has commands that ask for what the example answers, ready to paste', () => {
  const shown = (path: string, method: string) => {
    const operation = document.paths[path]?.[method];
    if (operation === undefined) throw new Error(`no operation ${method} ${path}`);
    return curlLine(document, { path, method, operation });
  };
  expect(shown('/v1/fx/convert', 'get')).toBe(
    [
      'curl -G -H "X-API-Key: $VESFX_KEY"',
      "-d 'from=USD&to=VES&amount=100'",
      `'${publicUrl}/v1/fx/convert'`,
    ].join(' \\\n  '),
  );
  expect(shown('/v1/fx/official/history', 'get')).toContain(
    "-d 'days=all&from=2026-11-20&to=2026-11-21'",
  );
  expect(shown('/v1/fx/coverage', 'get')).toContain("-d 'markets=reference,parallel'");
  expect(shown('/v1/fx/corrections', 'get')).toContain("-d 'since=2026-11-01'");
  expect(shown('/v1/fx/rates', 'get')).not.toContain('-d');
  expect(shown('/v1/fx/bulk/convert', 'post')).toBe(
    [
      'curl -X POST -H "X-API-Key: $VESFX_KEY"',
      '-H "Content-Type: application/json"',
      `--data-raw '${JSON.stringify({ from: 'USD', to: 'VES', amounts: [10, 25.5] }, undefined, 2)}'`,
      `'${publicUrl}/v1/fx/bulk/convert'`,
    ].join(' \\\n  '),
  );
  expect(shown('/v1/admin/records', 'post')).toContain('Bearer $VESFX_ADMIN_TOKEN');
});

test.each(LANGUAGES)(
  'the reference shows names of parameters and values as code, in %s',
  (language) => {
    const { groups } = referenceText(samplesOf(documents[language]), plans, language);
    const said = groups.flatMap(({ operations }) =>
      operations.flatMap(({ description, parameters }) => [
        description,
        ...(parameters?.rows ?? []).map((row) => row.at(-1) ?? ''),
      ]),
    );
    const bare = said.filter((text) => /\b[a-z]+_[a-z_]+\b/.test(text.replaceAll(/`[^`]*`/g, '')));
    expect(bare).toEqual([]);
    const first = groups[0]?.operations[0];
    expect(first?.description).toContain('`date`');
    const rule = first?.parameters?.rows.find(([name]) => name?.includes('rule'));
    expect(rule?.at(-1)).toMatch(/`value_date` \(.*`next_banking_day`/);
  },
);

/** Characters of code that a page of 1280 px shows without scrolling. */
const MAX_COMMAND_COLUMNS = 92;

describe.each(LANGUAGES)('the guides, language %s', (language) => {
  const facts = {
    publicUrl,
    plans,
    markets: markets.list,
    document: documents.en,
    handedOut,
    hasBoard: true,
    endpoints: [],
  };
  const texts = new Map(GUIDE_NAMES.map((name) => [name, guideText(name, language, facts)]));

  test('have no unfilled placeholder, and one title', () => {
    for (const text of texts.values()) {
      expect(text).not.toContain('{{');
      expect(headingsOf(text).filter(({ depth }) => depth === 1)).toHaveLength(1);
    }
  });

  test('answer in their first ten lines: with code, a table or the file that does it', () => {
    for (const name of GUIDE_NAMES) {
      const opening = guideFile(name, language).split('\n').slice(0, 10).join('\n');
      expect([name, /^```|\{\{/m.test(opening)]).toEqual([name, true]);
    }
  });

  test('have at most 900 words, with their code', () => {
    const words = (name: GuideName) => guideFile(name, language).trim().split(/\s+/).length;
    expect(GUIDE_NAMES.filter((name) => words(name) > 900)).toEqual([]);
  });

  test('of other services say whether this service has their addresses, and which line changes', () => {
    const path = '/v1/dolares/oficial';
    const page = (endpoints: readonly { path: string; access: 'key' | 'optional' }[]) =>
      guideText('switch-from-dolarapi', language, { ...facts, endpoints });
    const { off, key, open } = SWITCHING_TEXTS[language];
    const stated = (text: string) =>
      [off.replace('{service}', 'dolarapi'), key, open].map((one) => text.includes(one));
    expect(stated(page([]))).toEqual([true, false, false]);
    expect(stated(page([{ path, access: 'key' }]))).toEqual([false, true, false]);
    expect(stated(page([{ path, access: 'optional' }]))).toEqual([false, false, true]);
    for (const name of GUIDE_NAMES.filter((one) => one.startsWith('switch-from-'))) {
      const text = guideText(name, language, facts);
      expect([name, text]).toEqual([name, expect.stringContaining('/console#claves')]);
      for (const kind of ['js', 'python', 'php']) expect(text).toContain(`\`\`\`${kind}\n`);
    }
  });

  test('have no dead link to a page or heading', () => {
    const anchors = new Map(
      [...texts].map(([name, text]) => [
        `/docs/${name}`,
        headingsOf(text).map(({ anchor }) => anchor),
      ]),
    );
    anchors.set('/docs/reference', ['headers']).set('/status', []).set('/', []);
    anchors
      .set('/console', [...TABS])
      .set('/client/a.zip', [])
      .set('/mes', []);
    for (const file of ['invoice.php', 'odoo.zip', 'till.zip', 'woocommerce.zip']) {
      anchors.set(`/client/vesfx-${file}`, []);
    }
    anchors.set('/client/vesfx.php', []);
    anchors.set('/docs/reference/errors', ['errors', 'rules', 'plans']);
    anchors
      .set('/docs/reference/rates', ['listCorrections'])
      .set('/docs/reference/central-bank', []);
    const links = [...texts.values()].flatMap((text) =>
      [...text.matchAll(/\]\(([^)]*)\)/g)].map(([, target = '']) => target),
    );
    expect(links.length).toBeGreaterThan(8);
    // The project's own address is the only one elsewhere.
    const inside = links.filter((target) => !target.startsWith('https://github.com/vesfx/'));
    const dead = inside.filter((target) => {
      const [path = '', anchor] = target.split('#');
      const known = anchors.get(path);
      return known === undefined || (anchor !== undefined && !known.includes(anchor));
    });
    expect(dead).toEqual([]);
  });

  test('lead to the files that they tell a reader to download', () => {
    const page = guidePage(view('/docs/till', language), 'till', facts);
    expect(page).toMatch(
      /<a href="\/client\/vesfx-till\.zip(?:\?lang=\w+)?">http[^<]*\/client\/vesfx-till\.zip<\/a>/,
    );
    for (const text of texts.values()) expect(text).not.toMatch(/<https?:/);
  });

  test('introduce every block of code under its heading', () => {
    const bare = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/^(#+ .*)\n\n```/gm)].map(([, heading]) => `${name}: ${heading}`),
    );
    expect(bare).toEqual([]);
  });

  test('have commands whose lines fit beside the contents', () => {
    const long = [...texts].flatMap(([name, text]) =>
      [...text.matchAll(/```sh.*\n([\s\S]*?)\n```/g)]
        .flatMap(([, code = '']) => code.split('\n'))
        .filter((line) => line.length > MAX_COMMAND_COLUMNS)
        // An address or a body cannot be broken.
        .filter((line) => !/^\s*(?:"http|--data)/.test(line))
        .map((line) => `${name}: ${line}`),
    );
    expect(long).toEqual([]);
  });

  test('show the plans side by side at every width, each row with its name', () => {
    const page = guidePage(view('/docs/limits', language), 'limits', facts);
    const [, table = ''] = /<div class="scroll" [^>]*>(<table>[\s\S]*?<\/table>)/.exec(page) ?? [];
    for (const { name } of plans.list) expect(table).toContain(`>${name}</th>`);
    expect(table).not.toContain('data-label');
  });

  test('list every market of the catalogue with its id, name, aliases and plans', () => {
    const lines = (texts.get('markets') ?? '').split('\n');
    for (const { id, name, nameEn, aliases, requiredPlan } of markets.list) {
      const row = lines.find((line) => line.startsWith(`| \`${id}\` |`)) ?? '';
      expect(row).toContain(` ${language === 'es' ? name : nameEn} |`);
      for (const alias of aliases) expect(row).toContain(`\`${alias}\``);
      const everyPlan = language === 'es' ? 'todos' : 'all';
      expect(row).toContain(`${requiredPlan ?? everyPlan} |`);
    }
  });

  test('have every heading, code block and table of their text as pages', () => {
    for (const [name, text] of texts) {
      const page = guidePage(view(`/docs/${name}`, language), name, facts);
      expect(page).toContain(`<html lang="${language}">`);
      for (const { anchor } of headingsOf(text)) expect(page).toContain(`id="${anchor}"`);
      for (const [, , code = ''] of text.matchAll(/```(.*)\n([\s\S]*?)\n```/g)) {
        expect(textOf(page)).toContain(code);
      }
      expect(page).toContain(`href="/docs/${name}.md?lang=${language}"`);
    }
  });
});

test('guides have the same code in both languages, except words', () => {
  const facts = {
    publicUrl,
    plans,
    markets: markets.list,
    document: documents.en,
    handedOut,
    hasBoard: true,
    endpoints: [],
  };
  const kinds = (language: Language) =>
    GUIDE_NAMES.map((name) =>
      [...guideText(name, language, facts).matchAll(/^```(.+)$/gm)].map(([, kind]) => kind),
    );
  expect(kinds('es')).toEqual(kinds('en'));
});

describe.each(LANGUAGES)('the index of the documentation, language %s', (language) => {
  const groups = docsGroups(language);

  test('has every guide and every page of the reference once', () => {
    const paths = groups.flatMap(({ places }) => places.map(({ path }) => path));
    expect(new Set(paths).size).toBe(paths.length);
    expect(paths).toEqual(expect.arrayContaining(GUIDE_NAMES.map((name) => `/docs/${name}`)));
    expect(paths).toHaveLength(GUIDE_NAMES.length + REFERENCE_TAGS.length + 3);
  });

  test('each page leads to the one before it and the one after it', () => {
    const facts = {
      publicUrl,
      plans,
      markets: markets.list,
      document: documents.en,
      handedOut,
      hasBoard: true,
      endpoints: [],
    };
    const page = guidePage(view('/docs/markets', language), 'markets', facts);
    const next = /rel="next" href="([^"]*)"/.exec(page)?.[1];
    const prev = /rel="prev" href="([^"]*)"/.exec(page)?.[1];
    expect([prev, next]).toEqual([
      `/docs/first-request?lang=${language}`,
      `/docs/errors?lang=${language}`,
    ]);
    const first = guidePage(view('/docs/first-request', language), 'first-request', facts);
    expect(first).toContain(`rel="prev" href="/docs?lang=${language}"`);
  });
});

describe('Markdown', () => {
  const written = (text: string) =>
    markdownHtml(text, { language: 'es', link: (path) => `${path}?lang=es` });

  test('shows HTML as text, in blocks and inline', () => {
    expect(written('<script>alert(1)</script>')).not.toContain('<script');
    expect(written('a <img src=x onerror=y> b')).toContain('&lt;img src=x onerror=y>');
    expect(written('`<b>` **<i>**')).not.toMatch(/<[bi]>/);
    expect(written('![<x>](https://elsewhere.example/a.png)')).not.toMatch(/<img|elsewhere/);
  });

  test('colours code with five classes and changes none of it', () => {
    const code = 'const a = "<b>" + 1; // `c` & d';
    const markup = written(`\`\`\`js\n${code}\n\`\`\``);
    const classes = [...markup.matchAll(/<span class="(\w)">/g)].map(([, name]) => name);
    expect(classes).toEqual(['w', 'v', 'n', 'c']);
    expect(textOf(markup)).toContain(code);
    expect(written('```json\n{ "a": null }\n```')).toContain(
      '<span class="k">&quot;a&quot;</span>',
    );
    expect(written('```text\n<a> & "b"\n```')).toContain('&lt;a> &amp; &quot;b&quot;');
  });

  test('offers programs that stand together as a choice, each with its answer', () => {
    const block = (kind: string, text: string) => `\`\`\`${kind}\n${text}\n\`\`\``;
    const together = [block('sh', 'one'), block('json', '2'), block('php', 'three')].join('\n\n');
    const choice = written(together);
    expect(choice.match(/class="code dark choice"/g)).toHaveLength(1);
    expect(textOf(choice)).toMatch(/curl[\s\S]*one[\s\S]*2[\s\S]*PHP[\s\S]*three/);
    const apart = written([block('sh', 'one'), 'and', block('php', 'three')].join('\n\n'));
    expect(apart).not.toContain('choice');
    expect(apart.match(/class="code dark"/g)).toHaveLength(2);
    expect(written([block('sh', 'one'), block('json', '2')].join('\n\n'))).not.toContain('choice');
  });

  test('allows links to this site only', () => {
    expect(written('[a](/docs)')).toContain('<a href="/docs?lang=es">a</a>');
    expect(written('[a](https://elsewhere.example/) www.bcv.org.ve')).not.toMatch(/<a|elsewhere/);
    expect(written('[a](javascript:alert%281%29)')).not.toContain('javascript');
  });

  test('gives headings the anchors of usual Markdown viewers', () => {
    expect(anchorOf('La tasa de un día pasado')).toBe('la-tasa-de-un-día-pasado');
    expect(written('## ¿Qué es? `a`')).toContain('<h2 id="qué-es-a">');
  });
});

/** Comments of the methodology that name no number of judgement. */
const OTHER_COMMENTS = [
  ...['file', 'weight', 'deviation_percent', 'bcv_stale', 'degraded_count', 'markets', 'rules'],
  ...['judgement', 'amount_decimals', 'max_raw_points', 'version'],
];

describe.each(LANGUAGES)('the methodology, language %s', (language) => {
  const page = methodologyPage(view('/methodology', language), { markets, rules });
  const words = page.replaceAll(/\s+/g, ' ');
  const isSpanish = language === 'es';

  test('§4.7 says that routes are never ranked by rounded amounts', () => {
    expect(words).toContain(
      isSpanish ? 'Los montos redondeados nunca deciden' : 'Rounded amounts never decide',
    );
  });

  test('lists every market with its threshold', () => {
    for (const { id, name, nameEn, staleAfterSec } of markets.list) {
      expect(page).toContain(`<code>${id}</code>`);
      expect(words).toContain(markupOf(isSpanish ? name : nameEn));
      expect(page).toContain(`>${ageInWords(staleAfterSec)}<`);
    }
  });

  test('§2.10 names the formula, the flags, the version and the source', () => {
    expect(page).toMatch(isSpanish ? /0,30 .* 0,20 .* 0,50/ : /0\.30 .* 0\.20 .* 0\.50/);
    for (const flag of ['bcv_stale', 'degraded', 'missing_sources', 'outliers_excluded']) {
      expect(page).toContain(`<code>${flag}</code>`);
    }
    expect(words).toContain('132 ho');
    expect(words).toMatch(isSpanish ? /50\s%/ : /50%/);
    expect(words).toMatch(/versi[oó]n v1 /);
    expect(words).toContain('Banco Central de Venezuela');
  });

  test('has the same sections in the other language', () => {
    const ids = ['index', 'quotes', 'official', 'judgement', 'calculations', 'sources', 'version'];
    expect([...page.matchAll(/<h2 id="([^"]+)">/g)].map(([, id]) => id)).toEqual(ids);
    expect(page.match(/<h3 /g)).toHaveLength(15);
  });

  test('equals the document with the packaged catalogue, but for its tables', () => {
    const file = readFileSync(`docs/${isSpanish ? 'methodology.es.md' : 'methodology.md'}`, 'utf8');
    const withoutTables = (text: string) =>
      text.replaceAll(/(<!--(markets|rules|judgement)-->)[\s\S]*?<!--\/\2-->/g, '$1');
    expect(withoutTables(methodologyText(language, { markets, rules }))).toBe(withoutTables(file));
    const names = [...file.matchAll(/<!--([a-z_]+)(?:\.\w+)?(?: min| h)?-->/g)].map(
      ([, name]) => name,
    );
    const known = [...rules.map(({ name }) => name), ...OTHER_COMMENTS];
    expect(names.filter((name) => !known.includes(name ?? ''))).toEqual([]);
  });

  test('has a row for each case of each rule of judgement, with what releases it', () => {
    for (const { code, cases } of RULES) {
      expect(page).toContain(`<code>${code}</code>`);
      for (const { record, release } of cases) {
        expect(words).toContain(markupOf(RECORDS[record][language]));
        const [first = ''] = RELEASES[release].words[language].split('{');
        expect(words).toContain(markupOf(first.trim()));
      }
    }
    expect(page).not.toMatch(/\{\w+/);
    expect(words).toContain(isSpanish ? 'de 0,7 a 5 veces' : 'of 0.7 to 5 times');
    expect(words).toContain(isSpanish ? 'desde 60 minutos antes' : 'from 60 minutes before');
  });

  test("shows the operator's own numbers, in sentences and tables", () => {
    const changed = rules.map((rule) =>
      rule.name === 'quote_ratio' ? { ...rule, value: 1.45 } : rule,
    );
    const shown = methodologyPage(view('/methodology', language), { markets, rules: changed });
    const figure = isSpanish ? '1,45' : '1.45';
    expect(shown.split(figure)).toHaveLength(6);
  });

  test('leaves out the rules that a judgement.json of 0.2.0 does not have', () => {
    const later = [
      'parallel_percent',
      'parallel_venues_needed',
      'in_doubt_sec',
      'drift_ratio',
      'origin_step_percent',
      'archive_ratio',
      'archive_doubles_in_days',
      'archive_cross_percent',
      'archive_apart_percent',
      'cross_decimals',
      'repeated_within_days',
      'insisted_ratio',
    ];
    const before = rules.filter(({ name }) => !later.includes(name));
    const lines = (of: typeof rules) =>
      methodologyText(language, { markets, rules: of }).split('\n');
    const left = lines(before);
    const leftOut = lines(rules).filter((line) => !left.includes(line));
    expect(leftOut.map((line) => line.split('`')[1])).toEqual([
      'parallel_differs',
      'moved',
      'moved',
      'cross_moved',
      'figure_repeated',
      'figures_unrelated',
      'figures_unrelated',
      ...later,
    ]);
  });

  test('folds each long table', () => {
    const tables = page.split('<table>').slice(1);
    expect(tables).toHaveLength(6);
    for (const [at, table] of tables.entries()) {
      const rows = (table.match(/<tr>/g)?.length ?? 0) - 1;
      const before = page
        .split('<table>')
        .slice(0, at + 1)
        .join('<table>');
      const isFolded =
        (before.match(/<details>/g)?.length ?? 0) > (before.match(/<\/details>/g)?.length ?? 0);
      expect([rows, isFolded]).toEqual([rows, rows > 8]);
    }
  });

  test('is sent without the comments that name figures', () => {
    expect(page).not.toContain('<!--');
    expect(page).not.toContain('&lt;!--');
  });

  test('escapes names from the catalogue', () => {
    const [first] = markets.list;
    if (first === undefined) throw new Error('the catalogue is empty');
    const hostile = marketsOf([{ ...first, name: '<img src=x>' }]);
    const shown = methodologyPage(view('/methodology', language), { markets: hostile, rules });
    expect(shown).not.toContain('<img');
  });
});

test('states ages in the largest whole unit', () => {
  expect([475200, 900, 7200, 90, 61].map(ageInWords)).toEqual([
    '132 h',
    '15 min',
    '2 h',
    '90 s',
    '61 s',
  ]);
});
