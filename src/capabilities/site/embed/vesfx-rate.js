/*
 * <vesfx-rate>: a rate of the bolívar on any page: its market, and the day from which it is in force or its age.
 *
 *   <script src="https://rates.example/embed/v1.js" async></script>
 *   <vesfx-rate market="reference" key="vfx_pub_…" lang="es"></vesfx-rate>
 *
 * market    id or alias of a market; the official rate without it
 * currency  USD or EUR; USD without it, EUR for the official euro
 * key       a publishable key that names the origin of the page: anyone can read it here
 * base      address of the service; where this script is from without it
 * static    address of a static copy of a service, instead of key and base; market is then an id
 * lang      es or en; the language of the element's surroundings without it
 * label     name to show instead of the market's
 * size      `line` in a sentence, `card` (also without it), `sign` for a screen in a shop: it grows with its
 *           place, and has the next official rate too
 *
 * Parts for styles: value, name, details, notice, next, and box around them, which is also `late`, `doubt`
 * or `none` for a rate that is out of date, that nothing confirms, or that is not there.
 */
import { rateText } from '../frame/number-text.ts';
import { STYLE } from './style.js';

// limit: `<vesfx-rate>`: requests for an official rate, for another | one in 15 minutes and at midnight in Caracas (a visitor's pages together), one in 5 minutes | the last rate ages | OTHERS_MS
const OFFICIAL_MS = 900_000;
const OTHERS_MS = 300_000;
// limit: `<vesfx-rate>`: pause after a failure, by `Retry-After` | 1 minute (15 minutes after a refusal), 1 h at most | asked again | MAX_PAUSE_MS
const PAUSE_MS = 60_000;
/** Longest pause, whatever `Retry-After` says: an operator may raise a quota at any time. */
const MAX_PAUSE_MS = 3_600_000;
/** A rate read longer ago is only to look at, and after a day not even shown. */
// limit: `<vesfx-rate>`: age without a warning, age shown | 1 h, 1 day | not to charge; no rate | DAY_MS
const CHARGE_MS = 3_600_000;
const DAY_MS = 86_400_000;
const CARACAS_MS = 14_400_000;
const TICK_MS = 1_000;
// limit: `<vesfx-rate>`: wait for an answer | 10 s | it says so
const TIMEOUT_MS = 10_000;
const HOME = document.currentScript?.src;

// The service puts its markets here, by id: a name for both languages, or a list of the Spanish one,
// the English one, and the unit that is quoted if it is not the currency.
const NAMES = MARKET_NAMES;
// Lists and not objects: the minifier keeps the names of properties.
const SPANISH = [
  'es-VE',
  'rige desde',
  'del',
  'desde el',
  'hace menos de un minuto',
  ['desactualizada', 'no la use para cobrar'],
  ['sin\u00a0confirmar', 'ninguna otra fuente la confirma: compruébela'],
  ['tasa no disponible', 'la última tiene más de un día'],
  'no se pudo actualizar',
];
const ENGLISH = [
  'en-US',
  'in force since',
  'of',
  'from',
  'less than a minute ago',
  ['out of date', 'do not charge with it'],
  ['not\u00a0confirmed', 'no other source confirms it: check it'],
  ['rate not available', 'the last one is over a day old'],
  'could not be updated',
];
const UNITS = [
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
];

function ageInWords(seconds, locale, young) {
  if (seconds < 60) return young;
  const [unit, size] = UNITS.find(([, limit]) => seconds >= 2 * limit) ?? UNITS[2];
  return new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / size), unit);
}

/** The rate of a static copy as the service converts at it, with its age by the clock of the visitor. */
function fromCopy({ rates, official }, id, now) {
  const found = rates.find(({ market }) => market === id);
  return {
    ...found,
    rate: found.mid,
    from: { currency: found.base },
    staleness_sec: Math.max(0, now - Date.parse(found.updated_at)) / 1_000,
    next: found.effective_date && official.rates[found.base].next,
  };
}

/** The quote with the next official rate once that began: after midnight a cache may still have the copy of the evening. */
function inForce(quote, sinceMs) {
  const { next } = quote;
  const begunMs = next && Date.now() - Date.parse(next.effective_at);
  if (!(begunMs >= 0)) return [quote, quote.staleness_sec + sinceMs / 1_000];
  const { rate, value_date: effective_date } = next;
  return [{ ...quote, rate, effective_date, stale: 0, in_doubt: 0, next: 0 }, begunMs / 1_000];
}

class VesfxRate extends HTMLElement {
  static observedAttributes = [
    ...['market', 'currency', 'key', 'base', 'static', 'size', 'lang', 'label'],
  ];
  /** Times of the last request, of the next one and of the quote; the quote. The pages of a site share it. */
  #kept = [0, 0];
  #timer;
  #running;
  #parts = {};

  constructor() {
    super();
    const root = this.attachShadow({ mode: 'open' });
    // Not a <style>: the page's content policy may forbid those.
    const sheet = new CSSStyleSheet();
    sheet.replaceSync(STYLE);
    root.adoptedStyleSheets = [sheet];
    const box = document.createElement('div');
    root.append(box);
    this.#parts.box = box;
    // A warning comes before the figure, also for who listens.
    for (const [part, tag] of Object.entries({
      name: 'span',
      notice: 'strong',
      value: 'b',
      details: 'small',
      next: 'i',
    })) {
      this.#parts[part] = document.createElement(tag);
      this.#parts[part].part = part;
      // In a sentence nothing may stand before its next mark.
      box.append(this.#parts[part], part === 'notice' || part === 'value' ? ' ' : '');
    }
  }

  connectedCallback() {
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
    this.#tick();
  }

  disconnectedCallback() {
    this.#timer = clearInterval(this.#timer);
    this.#forget();
  }

  #forget() {
    this.#running?.abort();
    this.#running = undefined;
    this.#kept = [0, 0];
  }

  attributeChangedCallback(name) {
    // A figure of another market must not stand under the new name.
    if (name !== 'lang' && name !== 'label') this.#forget();
    // Not before the timer: each attribute of an element that was there before the script would request.
    if (this.#timer) this.#tick();
  }

  #tick() {
    if (document.hidden) return;
    if (!this.#running && this.#isDue()) void this.#poll();
    this.#show();
  }

  /** Also when the clock was set back. */
  #isDue() {
    const [askedAt, nextAt] = this.#kept;
    return Date.now() < askedAt || Date.now() >= nextAt;
  }

  #market() {
    return this.getAttribute('market') ?? 'reference';
  }

  async #poll() {
    const given = (name) => this.getAttribute(name);
    const market = this.#market();
    // The id of the official euro and its aliases have these letters.
    const currency = given('currency') ?? (/eur/.test(market) ? 'EUR' : 'USD');
    const query = new URLSearchParams({ from: currency, to: 'VES', amount: '1', via: market });
    const key = given('key') ?? '';
    const copy = given('static');
    const address = copy
      ? // Only what is kept goes by the market.
        new URL(`${copy.replace(/\/+$/, '')}/v1/latest.json#${market}`, document.baseURI)
      : new URL(`/v1/fx/convert?${query}`, given('base') ?? HOME);
    // Only a sign asks a service for the next rate.
    const wantsNext = !copy && given('size') === 'sign';
    const place = address + key + (wantsNext ? ' next' : '');
    // The browser may forbid the storage; then every page asks for itself.
    try {
      this.#kept = [...JSON.parse(localStorage[place])];
    } catch {}
    if (!this.#isDue()) return;
    const running = new AbortController();
    this.#running = running;
    const timeout = setTimeout(() => running.abort(), TIMEOUT_MS);
    const now = Date.now();
    let [, , readAt, quote] = this.#kept;
    let wait = PAUSE_MS;
    try {
      const { signal } = running;
      // A header of our own would make the browser ask a web server first whether it may.
      const headers = copy ? {} : { 'X-API-Key': key };
      const response = await fetch(address, { headers, signal });
      if (response.ok) {
        const body = await response.json();
        const answer = copy
          ? fromCopy(body, market, now)
          : { ...body, in_doubt: response.headers.get('X-Vesfx-In-Doubt') };
        // The key may not have the permission for it.
        if (wantsNext && answer.effective_date) {
          const all = await fetch(new URL('/v1/fx/official', address), { headers, signal });
          if (all.ok) answer.next = (await all.json()).rates[answer.from.currency].next;
        }
        // The official rate changes at midnight in Caracas.
        wait = answer.effective_date
          ? Math.min(OFFICIAL_MS, DAY_MS - ((now - CARACAS_MS) % DAY_MS))
          : OTHERS_MS;
        quote = answer;
        readAt = now;
      } else {
        const asked = Number(response.headers.get('Retry-After')) * 1_000;
        if (asked > wait) wait = Math.min(asked, MAX_PAUSE_MS);
        // A refusal such as that of a wrong key lasts.
        if (response.status < 429) wait = OFFICIAL_MS;
      }
    } catch {}
    clearTimeout(timeout);
    if (this.#running !== running) return;
    this.#running = undefined;
    this.#kept = [now, now + wait, readAt, quote];
    try {
      localStorage[place] = JSON.stringify(this.#kept);
    } catch {}
    this.#show();
  }

  #show() {
    const given = this.lang || this.closest('[lang]')?.lang || navigator.language;
    const isSpanish = given.toLowerCase().startsWith('es');
    const [locale, since, of, from, young, late, doubt, none, offline] = isSpanish
      ? SPANISH
      : ENGLISH;
    const parts = this.#parts;
    const isLine = this.getAttribute('size') === 'line';
    const [askedAt, , readAt, kept] = this.#kept;
    const keptMs = Date.now() - readAt;
    const write = (part, text) => {
      if (parts[part].textContent !== text) parts[part].textContent = text;
    };
    const list = (...texts) => texts.filter(Boolean).join(' · ');
    const isShown = kept && keptMs < DAY_MS;
    const [quote, ageSec] = isShown ? inForce(kept, keptMs) : [{ market: this.#market() }];
    const [spanish, english = spanish, unit] = [NAMES[quote.market] ?? quote.market].flat();
    const label = this.getAttribute('label') ?? (isSpanish ? spanish : english);
    const style = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' };
    const day = (date) => new Date(date).toLocaleDateString(locale, style);
    const bolivars = (rate) => `Bs.\u00a0${rateText(rate, isSpanish ? 'es' : 'en')}`;
    // `stale_after_sec` is of a copy: it is stale a second after `stale_at`.
    const isLate = quote.stale || Math.floor(ageSec) > quote.stale_after_sec || keptMs > CHARGE_MS;
    const states = isShown
      ? [isLate && ['late', ...late], quote.in_doubt && ['doubt', ...doubt]].filter(Boolean)
      : [askedAt ? ['none', ...none] : []];
    const [[state = '', , advice] = []] = states;
    parts.box.className = state;
    parts.box.part = `box ${state}`;
    // The board names the same unit: the API counts USDT as dollars.
    write('name', isShown ? `${label} · 1\u00a0${unit ?? quote.from.currency}\u00a0=` : label);
    write('notice', states.map(([, word]) => word).join(', '));
    write('value', isShown ? bolivars(quote.rate) : state ? '' : '…');
    let when = isShown && ageInWords(ageSec, locale, young);
    // The age of an official rate says nothing while it is in force: it is so until the next one.
    if (quote.effective_date) {
      const date = day(quote.effective_date);
      when = isLate ? `${of} ${date}, ${when}` : `${since} ${date}`;
    }
    const details = list(
      isLine && label,
      when,
      // Who never had a rate has no last one.
      (isShown || readAt) && advice,
      isShown && askedAt !== readAt && offline,
    );
    write('details', isLine ? `(${details})` : details);
    const { next } = quote;
    write('next', next ? `${from} ${day(next.value_date)}\n${bolivars(next.rate)}` : '');
  }
}

if (!customElements.get('vesfx-rate')) customElements.define('vesfx-rate', VesfxRate);
