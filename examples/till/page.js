import { Rates } from './rates.js';
import { Sale, toBolivares, typedCents } from './sale.js';
import { browserStorage } from './storage.js';
import { wordsFor } from './words.js';

const words = wordsFor(navigator.language);
const element = (id) => document.getElementById(id);
const say = (id, text) => {
  // Only what changed, so that a screen reader says it once.
  if (element(id).textContent !== text) element(id).textContent = text;
};

document.documentElement.lang = words.locale;
document.title = words.title;
for (const place of document.querySelectorAll('[data-word]')) {
  place.textContent = words[place.dataset.word];
}

const settings = browserStorage('vesfx-till-settings');
const form = element('settings');
const { url = '', key = '' } = JSON.parse(settings.load() ?? '{}');
form.elements.url.value = url;
form.elements.key.value = key;
form.addEventListener('submit', (event) => {
  event.preventDefault();
  settings.save(JSON.stringify(Object.fromEntries(new FormData(form))));
  location.reload();
});
form.parentElement.open = url === '';

/** The rate of a sale whose payment has begun: midnight does not change it. */
let kept;

function outcomeOf(quote) {
  const { total, usd, bs, inCash, usdChange } = element('sale').elements;
  const typed = [total, usd, bs].map(({ value }) => (value.trim() === '' ? 0 : typedCents(value)));
  const [price, dollars, bolivares] = typed;
  if (typed.includes(undefined)) return [words.badAmount];
  if (dollars === 0 && bolivares === 0) kept = undefined;
  else kept ??= quote;
  const used = kept ?? quote;
  if (price === 0) return [];
  if (used.sell === 'no') return [words.states[used.state]()];
  const sale = new Sale({ total: price, quote: used });
  if (dollars > 0) sale.pay('usd', dollars);
  if (bolivares > 0) sale.pay('bs', bolivares, { inCash: inCash.checked });
  const { money } = words;
  const lines = [words.price(money(toBolivares(price, used.rate)))];
  if (kept !== undefined && kept.valueDate !== quote.valueDate) {
    lines.push(words.keeps(words.rate(used.rate), words.day(used.valueDate)));
  }
  const { due, balance } = sale;
  const owed = inCash.checked ? due.bsCash : due.bs;
  if (kept === undefined || owed > 0) {
    return [...lines, words.owes({ bs: money(owed), usd: money(due.usd) })];
  }
  const way = { inCash: inCash.checked, usdMax: usdChange.checked ? undefined : 0 };
  const change = sale.change(way);
  sale.give(change, way);
  lines.push(
    balance < 0 ? words.change({ bs: money(change.bs), usd: money(change.usd) }) : words.paid,
  );
  const { rounding } = sale.receipt();
  return rounding > 0 ? [...lines, words.rounding(money(rounding))] : lines;
}

function show(quote) {
  const { rate, valueDate, next, held, expected, trouble } = quote;
  say('rate', rate === null ? '—' : `Bs. ${words.rate(rate)}`);
  say('date', valueDate === null ? '' : words.inForce(words.day(valueDate)));
  const dates = {
    valueDate: valueDate && words.day(valueDate),
    expected: expected && words.day(expected),
  };
  element('state').dataset.state = quote.state;
  element('state').dataset.sell = quote.sell;
  const reasons = quote.reasons.length === 0 ? ['current'] : quote.reasons;
  say('state', reasons.map((state) => words.states[state](dates)).join(' '));
  say(
    'next',
    next === null ? words.noNext : words.next(words.rate(next.rate), words.day(next.valueDate)),
  );
  const failure = trouble && (words.trouble[trouble] ?? words.trouble.other(trouble));
  const doubt = held && words.held(words.rate(held.rate), words.day(held.valueDate));
  const read = quote.readAt && words.read(words.moment(quote.readAt));
  say('notes', [doubt, failure, read, !quote.isSaved && words.notSaved].filter(Boolean).join(' '));
  say('result', outcomeOf(quote).join('\n'));
}

const rates = await Rates.open({ url, key, storage: browserStorage() });
const refresh = () => show(rates.quote());
const read = () => {
  if (url !== '') void rates.readIfDue().then(refresh);
};
element('sale').addEventListener('input', refresh);
element('sale').addEventListener('reset', () => setTimeout(refresh));
addEventListener('online', () => {
  rates.online();
  read();
});
// A second is how late the till may notice midnight, also when the computer slept until then.
setInterval(() => {
  refresh();
  read();
}, 1_000);
refresh();
read();
// Over plain HTTP, but for localhost, a browser has no service worker: then a reload needs the network.
void navigator.serviceWorker?.register('service-worker.js');
