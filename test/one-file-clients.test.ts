import { execFile } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { fullMarket, official } from './harness/make.ts';
import { onPath } from './harness/on-path.ts';
import { reformCatalogue } from './harness/reform.ts';
import { startTestService, type TestService } from './harness/service.ts';

/** The clients of one file, called by programs of their languages against a real service. */

const EXAMPLES = fileURLToPath(new URL('../examples/', import.meta.url));
/** An interpreter starts slowly on a busy machine. */
const RUN_TIMEOUT_MS = 100_000;

const PYTHON = `
import dataclasses, json, os
from vesfx import Vesfx, VesfxError
client = Vesfx(os.environ["VESFX_URL"], os.environ["VESFX_KEY"])
reference = [one for one in client.rates() if one.market == "reference"][0]
past = client.convert("USD", "VES", "2.50", date="2026-11-19")
points = client.history("parallel", "2026-11-21", "2026-11-21")
try:
    client.convert("USD", "VES", "-1")
except VesfxError as error:
    refused = [error.code, error.status, error.field]
try:
    client.convert("USD", "VES", "1", via="paralel")
except VesfxError as error:
    hint = error.details["did_you_mean"]
empty = []
for call in (
    lambda: client.rates(""), lambda: client.rates(None), lambda: client.rates(" "),
    lambda: client.convert("USD", "VES", "1", date=""), lambda: client.convert("USD", "VES", "1", date=None),
    lambda: client.convert("USD", "VES", "1", date="2026-11-19", rule=""),
    lambda: client.history("parallel", ""), lambda: client.history("parallel", None, ""),
):
    try:
        call()
    except VesfxError as error:
        empty.append([error.code, error.status, error.field])
print(json.dumps({
    "empty": empty,
    "mid": float(reference.mid), "valueDate": reference.effective_date,
    "past": float(past.to_amount), "pastDate": past.effective_date, "age": past.staleness_sec,
    "points": [[one.date, float(one.rate)] for one in points],
    "refused": refused, "hint": hint[0],
}))
`;

const PHP = `
require getenv('CLIENT');
$client = new Vesfx(getenv('VESFX_URL'), getenv('VESFX_KEY'));
$reference = current(array_filter($client->rates(), fn ($one) => $one->market === 'reference'));
$past = $client->convert('USD', 'VES', '2.50', date: '2026-11-19');
$points = $client->history('parallel', '2026-11-21', '2026-11-21');
try { $client->convert('USD', 'VES', '-1'); } catch (VesfxError $error) {
    $refused = [$error->errorCode, $error->status, $error->field];
}
try { $client->convert('USD', 'VES', '1', 'paralel'); } catch (VesfxError $error) {
    $hint = $error->details['did_you_mean'];
}
$empty = [];
foreach ([
    fn () => $client->rates(''), fn () => $client->rates(null), fn () => $client->rates(' '),
    fn () => $client->convert('USD', 'VES', '1', date: ''), fn () => $client->convert('USD', 'VES', '1', date: null),
    fn () => $client->convert('USD', 'VES', '1', date: '2026-11-19', rule: ''),
    fn () => $client->history('parallel', ''), fn () => $client->history('parallel', null, ''),
] as $call) {
    try { $call(); } catch (VesfxError $error) { $empty[] = [$error->errorCode, $error->status, $error->field]; }
}
echo json_encode([
    'empty' => $empty,
    'mid' => $reference->mid, 'valueDate' => $reference->effectiveDate,
    'past' => $past->toAmount, 'pastDate' => $past->effectiveDate, 'age' => $past->stalenessSec,
    'points' => array_map(fn ($one) => [$one->date, $one->rate], $points),
    'refused' => $refused, 'hint' => $hint[0],
]);
`;

/** Days around a reform, which the service places on 2026-11-22. */
const PYTHON_REFORM = `
import json, os
from vesfx import Vesfx
client = Vesfx(os.environ["VESFX_URL"], os.environ["VESFX_KEY"])
changes = lambda one: [[change.on, change.factor] for change in one.unit_changes]
past = client.convert("VES", "USD", "804000", date="2026-11-20")
print(json.dumps({
    "past": [float(past.rate), float(past.to_amount), changes(past)],
    "now": changes(client.convert("VES", "USD", "804")),
    "rates": [[float(one.mid), changes(one)] for one in client.rates("2026-11-21") if one.market == "reference"],
    "points": [[one.date, float(one.rate), changes(one)] for one in client.history("reference", "2026-11-20", "2026-11-24")],
}))
`;

const PHP_REFORM = `
require getenv('CLIENT');
$client = new Vesfx(getenv('VESFX_URL'), getenv('VESFX_KEY'));
$changes = fn ($one) => array_map(fn ($change) => [$change->on, $change->factor], $one->unitChanges);
$past = $client->convert('VES', 'USD', '804000', date: '2026-11-20');
$rates = array_filter($client->rates('2026-11-21'), fn ($one) => $one->market === 'reference');
echo json_encode([
    'past' => [$past->rate, $past->toAmount, $changes($past)],
    'now' => $changes($client->convert('VES', 'USD', '804')),
    'rates' => array_map(fn ($one) => [$one->mid, $changes($one)], array_values($rates)),
    'points' => array_map(
        fn ($one) => [$one->date, $one->rate, $changes($one)],
        $client->history('reference', '2026-11-20', '2026-11-24'),
    ),
]);
`;

const PYTHON_OFFICIAL = `
import json, os
from vesfx import Vesfx, VesfxError
client = Vesfx(os.environ["VESFX_URL"], os.environ["VESFX_KEY"])
official = client.official()
dollar = official.rates["USD"]
table = client.official_history("USD", "2026-11-20", "2026-11-21")
calendar = client.calendar("2026-11-21", "2026-11-23")
as_of = client.convert("USD", "VES", "1", date="2026-11-21").as_of
month = client.official_month("2026-11")
empty = []
for call in (
    lambda: client.official_month(""), lambda: client.official_history("USD", ""), lambda: client.official_history("USD", None, " "),
    lambda: client.calendar(""), lambda: client.calendar(None, ""),
):
    try:
        call()
    except VesfxError as error:
        empty.append([error.code, error.status, error.field])
print(json.dumps({
    "official": [float(dollar.in_force.rate), dollar.in_force.value_date, dollar.next and dollar.next.value_date],
    "doubt": [[one.currency, one.value_date] for one in official.in_doubt], "overdue": official.overdue,
    "rows": [[one.date, float(one.rate), one.value_date, one.carried_days, one.next_banking_day, len(one.unit_changes)] for one in table.rows],
    "missing": list(table.missing),
    "days": [[one.date, one.business_day, one.holiday] for one in calendar.days],
    "asOf": [as_of.date, as_of.rule, as_of.business_day, as_of.value_date, as_of.carried_days],
    "now": client.convert("USD", "VES", "1").as_of,
    "month": [month.month, month.close and float(month.close), month.close_value_date, float(month.average), len(month.rows), list(month.missing)],
    "monthNow": client.official_month(currency="USD") == month,
    "empty": empty,
}))
`;

const PHP_OFFICIAL = `
require getenv('CLIENT');
$client = new Vesfx(getenv('VESFX_URL'), getenv('VESFX_KEY'));
$official = $client->official();
$dollar = $official->rates['USD'];
$table = $client->officialHistory('USD', '2026-11-20', '2026-11-21');
$calendar = $client->calendar('2026-11-21', '2026-11-23');
$asOf = $client->convert('USD', 'VES', '1', date: '2026-11-21')->asOf;
$month = $client->officialMonth('2026-11');
$empty = [];
foreach ([
    fn () => $client->officialMonth(''), fn () => $client->officialHistory('USD', ''), fn () => $client->officialHistory('USD', null, ' '),
    fn () => $client->calendar(''), fn () => $client->calendar(null, ''),
] as $call) {
    try { $call(); } catch (VesfxError $error) { $empty[] = [$error->errorCode, $error->status, $error->field]; }
}
echo json_encode([
    'official' => [$dollar->inForce->rate, $dollar->inForce->valueDate, $dollar->next?->valueDate],
    'doubt' => array_map(fn ($one) => [$one->currency, $one->valueDate], $official->inDoubt), 'overdue' => $official->overdue,
    'rows' => array_map(
        fn ($one) => [$one->date, $one->rate, $one->valueDate, $one->carriedDays, $one->nextBankingDay, count($one->unitChanges)],
        $table->rows,
    ),
    'missing' => $table->missing,
    'days' => array_map(fn ($one) => [$one->date, $one->businessDay, $one->holiday], $calendar->days),
    'asOf' => [$asOf->date, $asOf->rule, $asOf->businessDay, $asOf->valueDate, $asOf->carriedDays],
    'now' => $client->convert('USD', 'VES', '1')->asOf,
    'month' => [$month->month, $month->close, $month->closeValueDate, $month->average, count($month->rows), $month->missing],
    'monthNow' => $client->officialMonth(currency: 'USD') == $month,
    'empty' => $empty,
]);
`;

const PYTHON_WORDS = `
import json, os
from vesfx import Vesfx, VesfxError, verify_webhook
def said(call):
    try:
        call()
    except (ValueError, VesfxError) as error:
        return str(error)
def all_of(**options):
    client = Vesfx(os.environ["VESFX_URL"], os.environ["VESFX_KEY"], **options)
    nobody = Vesfx("http://127.0.0.1:1", "", **options)
    return [
        said(lambda: client.convert("USD", "VES", "1", date="")),
        said(lambda: client.convert("USD", "VES", "1", via="paralel")),
        said(lambda: nobody.rates()),
        said(lambda: verify_webhook({}, b"", "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", **options)),
        said(lambda: verify_webhook({}, b"", "whsec_", **options)),
    ]
print(json.dumps([all_of(), all_of(language="es"), all_of(language="en")]))
`;

const PHP_WORDS = `
require getenv('CLIENT');
function said(callable $call) {
    try { $call(); } catch (InvalidArgumentException | VesfxError $error) { return $error->getMessage(); }
}
function all_of(...$options) {
    $client = new Vesfx(getenv('VESFX_URL'), getenv('VESFX_KEY'), ...$options);
    $nobody = new Vesfx('http://127.0.0.1:1', '', ...$options);
    return [
        said(fn () => $client->convert('USD', 'VES', '1', date: '')),
        said(fn () => $client->convert('USD', 'VES', '1', 'paralel')),
        said(fn () => $nobody->rates()),
        said(fn () => Vesfx::verifyWebhook([], '', 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw', ...$options)),
        said(fn () => Vesfx::verifyWebhook([], '', 'whsec_', ...$options)),
    ];
}
echo json_encode([all_of(), all_of(language: 'es'), all_of(language: 'en')]);
`;

interface Outcome {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

function run(command: string, args: readonly string[], env: NodeJS.ProcessEnv): Promise<Outcome> {
  const { promise, resolve } = Promise.withResolvers<Outcome>();
  execFile(command, [...args], { env, timeout: RUN_TIMEOUT_MS }, (error, out, err) => {
    const code = error === null ? 0 : typeof error.code === 'number' ? error.code : -1;
    resolve({ code, out, err });
  });
  return promise;
}

/** The environment in which a program finds a client and its service. */
async function environmentOf(name: string, service: TestService): Promise<NodeJS.ProcessEnv> {
  return {
    ...process.env,
    VESFX_URL: service.url,
    VESFX_KEY: await service.keyFor('Escala'),
    CLIENT: join(EXAMPLES, name),
    PYTHONPATH: EXAMPLES,
    PYTHONDONTWRITEBYTECODE: '1',
  };
}

/** The sample in the header of a client, as a program for the service of the test. */
function headerSample(name: string): string {
  const lines = readFileSync(join(EXAMPLES, name), 'utf8').split('\n');
  const of = name.endsWith('.php') ? /^\/\/ {3}(?=require|\$|echo)/ : /^ {4}(?=from|quote|print)/;
  const sample = lines
    .slice(0, 12)
    .filter((line) => of.test(line))
    .map((line) => line.replace(of, ''));
  if (sample.length !== 3) throw new Error(`the header of ${name} has another sample`);
  const isPhp = name.endsWith('.php');
  const program = sample
    .join('\n')
    .replace(`require '${name}'`, "require getenv('CLIENT')")
    .replace(
      /(['"])https:\/\/rates\.example\1/,
      isPhp ? "getenv('VESFX_URL')" : 'os.environ["VESFX_URL"]',
    )
    .replace(/\$key|\bkey\b/, isPhp ? "getenv('VESFX_KEY')" : 'os.environ["VESFX_KEY"]');
  return isPhp ? program : `import os\n${program}`;
}

describe('the clients of one file', () => {
  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c'] },
    { name: 'vesfx.php', command: onPath('php'), args: ['-d', 'error_reporting=-1', '-r'] },
  ])(
    'the sample in the header of $name runs, with a day by its name',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const sample = headerSample(name);
      expect(sample).toMatch(/date(: |=)['"]2026-11-20['"]/);
      const service = await startTestService();
      await service.push(...fullMarket());
      const outcome = await run(command, [...args, sample], await environmentOf(name, service));
      expect(outcome).toMatchObject({ code: 0, err: '' });
      expect(outcome.out.trim()).toMatch(/^80050(\.00?)? 800\.5 2026-11-20$/);
    },
  );

  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c', PYTHON_REFORM] },
    {
      name: 'vesfx.php',
      command: onPath('php'),
      args: ['-d', 'error_reporting=-1', '-r', PHP_REFORM],
    },
  ])(
    'contract §1: $name names the reforms since the day of each rate, amount and point',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const service = await startTestService({ config: { catalogueDir: await reformCatalogue() } });
      await service.push(
        official('2026-11-20', { USD: 804 }, { captured_at: '2026-11-19T20:10:00Z' }),
        official('2026-11-24', { USD: 0.801 }, { captured_at: '2026-11-20T20:10:00Z' }),
      );
      service.clock.set(Date.parse('2026-11-24T12:00:00Z'));
      const outcome = await run(command, args, await environmentOf(name, service));
      expect(outcome).toMatchObject({ code: 0, err: '' });
      const change = [['2026-11-22', 1_000]];
      expect(JSON.parse(outcome.out)).toEqual({
        past: [804, 1_000, change],
        now: [],
        rates: [[804, change]],
        points: [
          ['2026-11-20', 804, change],
          ['2026-11-24', 0.801, []],
        ],
      });
    },
  );

  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c', PYTHON_WORDS] },
    {
      name: 'vesfx.php',
      command: onPath('php'),
      args: ['-d', 'error_reporting=-1', '-r', PHP_WORDS],
    },
  ])(
    'contract §4: what $name and the service say of an error is in the language that is named, or in that of the process',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const service = await startTestService();
      await service.push(...fullMarket());
      const said = async (locale: NodeJS.ProcessEnv) => {
        const env = { ...(await environmentOf(name, service)), LC_MESSAGES: '', ...locale };
        const outcome = await run(command, args, env);
        expect(outcome).toMatchObject({ code: 0, err: '' });
        return JSON.parse(outcome.out);
      };
      const spanish = [
        /^`date` está vacío$/,
        /mercado/,
        /no responde/,
        /^la petición no tiene la cabecera webhook-id/i,
        /`?secret`? es el secreto de un webhook/,
      ].map((text) => expect.stringMatching(text));
      const english = [
        /^date is empty$/,
        /market/,
        /does not answer/,
        /^the request has no header webhook-id/i,
        /secret is the secret of a webhook/,
      ].map((text) => expect.stringMatching(text));
      expect(await said({ LC_ALL: '', LANG: 'es_VE.UTF-8' })).toEqual([spanish, spanish, english]);
      expect(await said({ LC_ALL: 'C.UTF-8', LANG: 'es_VE.UTF-8' })).toEqual([
        english,
        spanish,
        english,
      ]);
    },
  );

  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c', PYTHON] },
    { name: 'vesfx.php', command: onPath('php'), args: ['-d', 'error_reporting=-1', '-r', PHP] },
  ])(
    '$name gives rates, a conversion of a past day, history and errors by code',
    async (client, { skip }) => {
      const { name, command, args } = client;
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const service = await startTestService();
      await service.push(official('2026-11-19', { USD: 790.25, EUR: 910 }), ...fullMarket());
      const outcome = await run(command, args, await environmentOf(name, service));
      expect(outcome).toMatchObject({ code: 0, err: '' });
      const answer = JSON.parse(outcome.out);
      expect(answer).toMatchObject({
        mid: 800.5,
        valueDate: '2026-11-20',
        past: 1975.63,
        pastDate: '2026-11-19',
        age: null,
        refused: ['invalid_format', 400, 'amount'],
        hint: 'parallel',
        empty: ['date', 'date', 'date', 'date', 'date', 'rule', 'from', 'to'].map((field) => [
          'invalid_format',
          0,
          field,
        ]),
        points: [['2026-11-21', 850]],
      });
    },
  );

  test.for([
    { name: 'vesfx.py', command: onPath('python3'), args: ['-W', 'error', '-c', PYTHON_OFFICIAL] },
    {
      name: 'vesfx.php',
      command: onPath('php'),
      args: ['-d', 'error_reporting=-1', '-r', PHP_OFFICIAL],
    },
  ])(
    'contract §21 $name gives official rates, their days, the month and the calendar, and says where a past rate comes from',
    async ({ name, command, args }, { skip }) => {
      if (command === undefined) return skip(`there is no interpreter of ${name} on this machine`);
      const service = await startTestService();
      const read = { captured_at: '2026-11-19T20:10:00.000Z' };
      await service.push(
        official('2026-11-20', { USD: 804 }, read),
        official('2026-11-24', { USD: 805 }, { captured_at: '2026-11-20T20:10:00.000Z' }),
      );
      const told = async () => {
        const outcome = await run(command, args, await environmentOf(name, service));
        expect(outcome).toMatchObject({ code: 0, err: '' });
        return JSON.parse(outcome.out);
      };
      const saturday = {
        official: [804, '2026-11-20', '2026-11-24'],
        ...{ doubt: [], overdue: false, missing: [] },
        rows: [
          ['2026-11-20', 804, '2026-11-20', 0, '2026-11-20', 0],
          ['2026-11-21', 804, '2026-11-20', 1, '2026-11-24', 0],
        ],
        days: [
          ['2026-11-21', false, null],
          ['2026-11-22', false, null],
          ['2026-11-23', false, 'Virgen de Chiquinquirá'],
        ],
        asOf: ['2026-11-21', 'value_date', false, '2026-11-20', 1],
        now: null,
        month: ['2026-11', 805, '2026-11-24', 804.5, 5, []],
        monthNow: true,
        empty: ['month', 'from', 'to', 'from', 'to'].map((field) => ['invalid_format', 0, field]),
      };
      expect(await told()).toEqual(saturday);
      // Long after the next rate was due.
      service.clock.set(Date.parse('2026-12-04T12:00:00Z'));
      const later = await told();
      expect(later.overdue).toBe(true);
      // The last rates of the month are missing.
      expect(later.month.slice(0, 3)).toEqual(['2026-11', null, null]);
    },
  );
});
