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
 *
 * Parts for styles: value, name, details, notice.
 */
import { rateText } from '../frame/number-text.ts';

const OFFICIAL_MS = 900_000;
const OTHERS_MS = 300_000;
const PAUSE_MS = 60_000;
/** Longest pause, whatever `Retry-After` says: an operator may raise a quota at any time. */
const MAX_PAUSE_MS = 3_600_000;
/** A rate read longer ago is only to look at, and after a day not even shown. */
const CHARGE_MS = 3_600_000;
const DAY_MS = 86_400_000;
const CARACAS_MS = 14_400_000;
const TICK_MS = 1_000;
const TIMEOUT_MS = 10_000;
const HOME = document.currentScript?.src;

// The service puts its markets here, by id: a name for both languages, or a list of the Spanish one,
// the English one, and the unit that is quoted if it is not the currency.
const NAMES = MARKET_NAMES;
// Lists and not objects: the minifier keeps the names of properties.
const SPANISH = [
  'es-VE',
  'rige desde',
  'desactualizada: no la use para cobrar',
  'no se pudo actualizar',
  'tasa no disponible',
  'hace menos de un minuto',
];
const ENGLISH = [
  'en-US',
  'in force since',
  'out of date: do not charge with it',
  'could not be updated',
  'rate not available',
  'less than a minute ago',
];
const STYLE = `
  :host { display: inline-block; font: inherit; line-height: 1.4 }
  :host([hidden]) { display: none }
  b { font-size: 1.4em; font-variant-numeric: tabular-nums }
  small { display: block; opacity: .8 }
  strong:not(:empty) { display: block; color: light-dark(#a30000, #ff9b9b) }
`;

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
  // After midnight a cache may still have the copy of the evening.
  const next = found.effective_date && official.rates[found.base].next;
  const isBegun = next && Date.parse(next.effective_at) <= now;
  const updated = Date.parse(isBegun ? next.effective_at : found.updated_at);
  return {
    ...found,
    rate: isBegun ? next.rate : found.mid,
    effective_date: isBegun ? next.value_date : found.effective_date,
    from: { currency: found.base },
    staleness_sec: Math.max(0, now - updated) / 1_000,
  };
}

class VesfxRate extends HTMLElement {
  static observedAttributes = [...['market', 'currency', 'key', 'base', 'static', 'lang', 'label']];
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
    for (const [part, tag] of Object.entries({
      name: 'span',
      value: 'b',
      details: 'small',
      notice: 'strong',
    })) {
      this.#parts[part] = document.createElement(tag);
      this.#parts[part].part = part;
      root.append(this.#parts[part], ' ');
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
    // The browser may forbid the storage; then every page asks for itself.
    try {
      this.#kept = [...JSON.parse(localStorage[address + key])];
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
        const answer = copy ? fromCopy(body, market, now) : body;
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
      localStorage[address + key] = JSON.stringify(this.#kept);
    } catch {}
    this.#show();
  }

  #show() {
    const given = this.lang || this.closest('[lang]')?.lang || navigator.language;
    const isSpanish = given.toLowerCase().startsWith('es');
    const [locale, sinceText, staleText, offlineText, noneText, young] = isSpanish
      ? SPANISH
      : ENGLISH;
    const { name, value, details, notice } = this.#parts;
    const [askedAt, , readAt, quote] = this.#kept;
    const failed = askedAt !== readAt;
    const keptMs = Date.now() - readAt;
    const write = (part, text) => {
      if (part.textContent !== text) part.textContent = text;
    };
    // Without a quote, `keptMs` is no number, or all the time since 1970.
    const isShown = keptMs < DAY_MS;
    const market = isShown ? quote.market : this.#market();
    const [spanish, english = spanish, unit] = [NAMES[market] ?? market].flat();
    const label = this.getAttribute('label') ?? (isSpanish ? spanish : english);
    if (!isShown) {
      write(name, label);
      write(details, '');
      write(value, askedAt ? '' : '…');
      write(notice, askedAt ? noneText : '');
      return;
    }
    const ageSec = quote.staleness_sec + keptMs / 1_000;
    const style = { weekday: 'short', day: 'numeric', month: 'short', timeZone: 'UTC' };
    // The board names the same unit: the API counts USDT as dollars.
    write(name, `${label} · 1 ${unit ?? quote.from.currency} =`);
    write(value, `Bs. ${rateText(quote.rate, isSpanish ? 'es' : 'en')}`);
    // The age of an official rate says nothing: it is in force until the next one.
    write(
      details,
      quote.effective_date
        ? `${sinceText} ${new Date(quote.effective_date).toLocaleDateString(locale, style)}`
        : ageInWords(ageSec, locale, young),
    );
    const list = (...parts) => parts.filter(Boolean).join(' · ');
    // `stale_after_sec` is of a copy: it is stale a second after `stale_at`.
    const isStale = quote.stale || Math.floor(ageSec) > quote.stale_after_sec;
    write(notice, list((isStale || keptMs > CHARGE_MS) && staleText, failed && offlineText));
  }
}

if (!customElements.get('vesfx-rate')) customElements.define('vesfx-rate', VesfxRate);
