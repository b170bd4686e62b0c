import { describe, expect, test } from 'vitest';
import { fullMarket } from '../harness/make.ts';
import { ADMIN_TOKEN, startTestService } from '../harness/service.ts';

const BULK = '/v1/fx/bulk/convert';
const MARKUPS = '/v1/account/markups';
const RECORDS = '/v1/admin/records';

/** Words by which the schema library words its own messages. */
const LIBRARY_WORDS =
  /Invalid|expected|received|Too (?:small|big)|Unrecognized|>=|<=|option|undefined/;

const AMOUNT =
  'amount: must be a number greater than 0 and at most one trillion (10^12), with a point for decimals.';
const AMOUNTS =
  'amounts[0]: must be a number greater than 0 and at most one trillion (10^12), with a point for decimals.';
const DAY = 'must be a date that exists, YYYY-MM-DD.';

const GETS: readonly (readonly [path: string, message: string])[] = [
  ['/v1/fx/rates?format=XML', 'format: must be one of json, csv, xml.'],
  ['/v1/fx/rates?markup=a&markup=b', 'markup: is given twice.'],
  ['/v1/fx/rates/%zz', 'market: the percent-encoding is malformed.'],
  ['/v1/fx/rates/reference?date=2026-02-30', `date: ${DAY}`],
  [
    '/v1/fx/rates/reference?date=2026-11-20&rule=x',
    'rule: must be one of value_date, next_banking_day.',
  ],
  ['/v1/fx/rates/cash/history?from=x', `from: ${DAY}`],
  ['/v1/fx/rates/cash/history?to=2026-1-1', `to: ${DAY}`],
  ['/v1/fx/rates/cash/history?granularity=hourly', 'granularity: must be one of daily, raw.'],
  ['/v1/fx/convert?from=USD&to=VES&amount=1,5', AMOUNT],
  ['/v1/fx/convert?from=USD&to=VES', 'amount is required.'],
  ['/v1/fx/convert?from=USD&to=VES&amount=1&x=1', 'This endpoint does not accept that parameter.'],
  ['/v1/fx/convert?from=XXX&to=VES&amount=1', 'from must be VES or USD or EUR.'],
  [
    '/v1/fx/convert?from=USD&to=EUR&amount=1',
    'One side must be VES and the other a foreign currency.',
  ],
  [
    '/v1/fx/route?from=USD&to=VES&amount=1&direction=up',
    'direction: must be one of send, receive.',
  ],
  ['/v1/fx/route?from=USD&to=VES&amount=1&max_staleness=-1', 'max_staleness: must be digits only.'],
  ['/v1/fx/spread?base=EUR', 'The premium is only calculated for USD.'],
  ['/v1/fx/calendar?from=x', `from: ${DAY}`],
  ['/v1/fx/corrections?since=x', `since: ${DAY}`],
  ['/v1/fx/corrections?since=2099-01-01', 'since must not be in the future.'],
  [
    '/v1/fx/coverage?markets=a,',
    'markets: must be ids or aliases of at most 50 markets with commas between.',
  ],
  ['/v1/account/usage?from=x', `from: ${DAY}`],
];

const BODIES: readonly (readonly [path: string, body: string, message: string])[] = [
  [BULK, '', 'The body is not JSON.'],
  [BULK, '[]', 'The body is not a JSON object.'],
  [BULK, '{"from":"USD","to":"VES"}', 'amounts is required.'],
  [BULK, '{"from":1,"to":"VES","amounts":[1]}', 'from: must be text.'],
  [BULK, '{"from":"USD","to":"VES","amounts":1}', 'amounts: must be a list.'],
  [BULK, '{"from":"USD","to":"VES","amounts":["1"]}', AMOUNTS],
  [BULK, '{"from":"USD","to":"VES","amounts":[1e13]}', AMOUNTS],
  [BULK, '{"from":"USD","to":"VES","amounts":[]}', 'amounts is empty.'],
  [BULK, '{"from":"USD","to":"VES","amounts":[1],"market":5}', 'market: must be text.'],
  ['/v1/account/keys', '{"kind":"double"}', 'kind: must be one of full, restricted, publishable.'],
  [MARKUPS, '{"tag":"a","kind":"double","value":1}', 'kind: must be one of percent, fixed.'],
  [MARKUPS, '{"tag":"a","kind":"percent","value":"1"}', 'value: must be a number.'],
  [
    MARKUPS,
    '{"tag":"a","kind":"percent","value":1e400}',
    'value: must have at most 15 significant digits.',
  ],
  [MARKUPS, '{"tag":"a","kind":"percent","value":1001}', 'value: must be -99 to 1000 percent.'],
  [MARKUPS, '{"tag":"A","kind":"percent","value":1}', 'tag: must be 1 to 32 of a-z, 0-9, _ and -.'],
  [MARKUPS, '{"tag":5,"kind":"percent","value":1}', 'tag: must be text.'],
  [MARKUPS, '{"tag":"a","kind":"percent","value":1,"markets":"cash"}', 'markets: must be a list.'],
  [MARKUPS, '{"tag":"a","kind":"percent","value":1,"markets":[5]}', 'markets[0]: must be text.'],
  [MARKUPS, '{"tag":"a","kind":"percent","value":1,"active":1}', 'active: must be true or false.'],
];

const RECORD_REASONS: readonly (readonly [line: string, reason: string])[] = [
  ['x', 'not JSON'],
  ['5', 'not a JSON object'],
  ['{"kind":"gold"}', 'kind must be quote, official or bank_table'],
  ['{"kind":"quote","market":"cash","mid":"1"}', 'mid: must be a number'],
  ['{"kind":"quote","market":"cash","mid":0}', 'mid: must be greater than 0, and at least 1e-15'],
  ['{"kind":"quote","market":"cash","mid":1,"x":1}', 'unknown field x'],
  ['{"kind":"quote","market":5,"mid":1}', 'market: must be text'],
  ['{"kind":"quote","market":"cash","mid":1,"captured_at":5}', 'captured_at: must be text'],
  [
    '{"kind":"official","value_date":"2026-11-20","rates":{}}',
    'rates: must have at least one currency',
  ],
  [
    '{"kind":"official","value_date":"2026-11-20","rates":{"EURO":1}}',
    'rates: EURO is not the code of a currency',
  ],
  ['{"kind":"official","value_date":"2026-11-20","rates":5}', 'rates: must be an object'],
  ['{"kind":"bank_table","indicator_date":"2026-11-20","rows":5}', 'rows: must be a list'],
  [
    '{"kind":"bank_table","indicator_date":"2026-11-20","rows":[]}',
    'rows: must have at least one row',
  ],
  [
    '{"kind":"bank_table","indicator_date":"2026-11-20","rows":[{"bank":"a","buy":"1"}]}',
    'rows.0.buy: must be a number',
  ],
];

describe('messages name what is wrong in a sentence', () => {
  test('for every parameter', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const key = await service.keyFor('Escala');
    for (const [path, message] of GETS) {
      const { status, json } = await service.call(path, { key });
      expect([path, status, json.message]).toEqual([path, 400, message]);
      expect(json.message).not.toMatch(LIBRARY_WORDS);
    }
  });

  test('for every field of a body', async () => {
    const service = await startTestService();
    await service.push(...fullMarket());
    const key = await service.keyFor('Escala');
    for (const [path, body, message] of BODIES) {
      const { status, json } = await service.call(path, { key, method: 'POST', body });
      expect([body, status, json.message]).toEqual([body, 400, message]);
      expect(json.message).not.toMatch(LIBRARY_WORDS);
    }
  });

  test('for every record, by its line', async () => {
    const service = await startTestService();
    const { json } = await service.call(RECORDS, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${ADMIN_TOKEN}`,
        'Content-Type': 'application/x-ndjson',
      },
      body: RECORD_REASONS.map(([line]) => line).join('\n'),
    });
    const reasons = json.details.errors.map(({ reason }: { reason: string }) => reason);
    expect(reasons).toEqual(RECORD_REASONS.map(([, reason]) => reason));
    for (const reason of reasons) expect(reason).not.toMatch(LIBRARY_WORDS);
  });

  test.each([
    [RECORDS, 'text/plain', 'Send the body as UTF-8 NDJSON: Content-Type application/x-ndjson.'],
    [BULK, 'application/xml', 'Send the body as UTF-8 application/json.'],
    [BULK, 'application/json; charset=latin1', 'Send the body as UTF-8 application/json.'],
  ])('%s with a body of %s names the accepted type', async (path, type, message) => {
    const service = await startTestService();
    const key = await service.keyFor('Escala');
    const { status, json } = await service.call(path, {
      key,
      method: 'POST',
      headers: { 'Content-Type': type, Authorization: `Bearer ${ADMIN_TOKEN}` },
      body: 'x',
    });
    expect([status, json.message]).toEqual([415, message]);
  });

  test.each([
    ['/v1/fx/bcv/banks', 'No table of banks is stored yet.'],
    ['/v1/fx/bcv/currencies', 'No publication of the central bank is stored yet.'],
    ['/v1/fx/official', 'No official rate is stored yet.'],
  ])('%s names the missing data of the central bank (§4.10, §4.11)', async (path, message) => {
    const service = await startTestService();
    const key = await service.keyFor('Gratis');
    const { json } = await service.call(path, { key });
    expect([json.code, json.message]).toEqual(['bcv_snapshot_unavailable', message]);
  });
});
