/*
 * <vesfx-rate>: a rate of the bolívar on any page, with its value date, its age and its source.
 *
 *   <script src="https://rates.example/embed/v1.js" async></script>
 *   <vesfx-rate market="reference" key="vfx_pub_…" lang="es"></vesfx-rate>
 *
 * market    id or alias of a market; the official rate without it
 * currency  USD or EUR; USD without it, EUR for the official euro
 * key       a publishable key that names the origin of the page: anyone can read it here
 * base      address of the service; where this script is from without it
 * lang      es or en; the language of the element's surroundings without it
 * label     name to show instead of the market's
 *
 * Parts for styles: value, name, details, notice.
 */
(() => {
  const POLL_MS = 60_000;
  const TICK_MS = 1_000;
  const TIMEOUT_MS = 10_000;
  const HOME = document.currentScript?.src;

  // The service puts the names of its markets here, by id: Spanish and English, or one for both.
  const NAMES = MARKET_NAMES;
  const TEXTS = {
    es: {
      locale: 'es-VE',
      source: 'Fuente',
      valueDate: 'fecha valor',
      stale: 'desactualizada: no la use para cobrar',
      offline: 'no se pudo actualizar',
      none: 'tasa no disponible',
      now: 'hace menos de un minuto',
    },
    en: {
      locale: 'en-US',
      source: 'Source',
      valueDate: 'value date',
      stale: 'out of date: do not charge with it',
      offline: 'could not be updated',
      none: 'rate not available',
      now: 'less than a minute ago',
    },
  };
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

  function ageInWords(seconds, { locale, now }) {
    if (seconds < 60) return now;
    const [unit, size] = UNITS.find(([, limit]) => seconds >= 2 * limit) ?? ['minute', 60];
    return new Intl.RelativeTimeFormat(locale).format(-Math.floor(seconds / size), unit);
  }

  class VesfxRate extends HTMLElement {
    static observedAttributes = ['market', 'currency', 'key', 'base', 'lang', 'label'];
    #quote;
    /** Arrival of the quote, on a monotonic clock. */
    #receivedAt = 0;
    #failed = false;
    #nextPollAt = 0;
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
      clearInterval(this.#timer);
      this.#running?.abort();
      this.#nextPollAt = 0;
    }

    attributeChangedCallback(name) {
      // A figure of another market must not stand under the new name.
      if (name !== 'lang' && name !== 'label') {
        this.#running?.abort();
        this.#quote = undefined;
        this.#nextPollAt = 0;
      }
      if (this.isConnected) this.#tick();
    }

    #tick() {
      if (document.hidden) return;
      if (performance.now() >= this.#nextPollAt) void this.#poll();
      this.#show();
    }

    async #poll() {
      this.#nextPollAt = performance.now() + POLL_MS;
      const market = this.getAttribute('market') ?? 'reference';
      // The id of the official euro and its aliases have these letters.
      const currency = this.getAttribute('currency') ?? (/eur/.test(market) ? 'EUR' : 'USD');
      const running = new AbortController();
      this.#running = running;
      const timeout = setTimeout(() => running.abort(), TIMEOUT_MS);
      try {
        const query = new URLSearchParams({ from: currency, to: 'VES', amount: '1', via: market });
        const address = new URL(`/v1/fx/convert?${query}`, this.getAttribute('base') ?? HOME);
        const headers = { 'X-API-Key': this.getAttribute('key') ?? '' };
        const { signal } = running;
        const response = await fetch(address, { headers, signal, cache: 'no-store' });
        const retryAfterMs = Number(response.headers.get('Retry-After')) * 1_000;
        if (retryAfterMs > POLL_MS) this.#nextPollAt = performance.now() + retryAfterMs;
        if (!response.ok) throw new Error();
        const quote = await response.json();
        if (this.#running !== running) return;
        this.#quote = quote;
        this.#receivedAt = performance.now();
        this.#failed = false;
      } catch {
        if (this.#running !== running) return;
        this.#failed = true;
      } finally {
        clearTimeout(timeout);
      }
      this.#show();
    }

    #show() {
      const given = this.lang || this.closest('[lang]')?.lang || navigator.language;
      const isSpanish = given.toLowerCase().startsWith('es');
      const texts = isSpanish ? TEXTS.es : TEXTS.en;
      const { name, value, details, notice } = this.#parts;
      const quote = this.#quote;
      const write = (part, text) => {
        if (part.textContent !== text) part.textContent = text;
      };
      if (quote === undefined) {
        for (const part of [name, details]) write(part, '');
        write(value, this.#failed ? '' : '…');
        write(notice, this.#failed ? texts.none : '');
        return;
      }
      const names = [NAMES[quote.market] ?? quote.market].flat();
      const source = this.getAttribute('label') ?? names[isSpanish ? 0 : names.length - 1];
      const ageSec = quote.staleness_sec + (performance.now() - this.#receivedAt) / 1_000;
      const style = { dateStyle: 'medium', timeZone: 'UTC' };
      const digits = { minimumFractionDigits: 2, maximumFractionDigits: 8, useGrouping: 'always' };
      const rate = quote.rate.toLocaleString(texts.locale, digits);
      const valueDate =
        quote.effective_date &&
        `${texts.valueDate} ${new Date(quote.effective_date).toLocaleDateString(texts.locale, style)}`;
      const age = ageInWords(ageSec, texts);
      write(name, `${quote.from.currency} 1 =`);
      write(value, `Bs. ${rate}`);
      const list = (...parts) => parts.filter(Boolean).join(' · ');
      write(details, list(`${texts.source}: ${source}`, valueDate, age));
      write(notice, list(quote.stale && texts.stale, this.#failed && texts.offline));
    }
  }

  if (!customElements.get('vesfx-rate')) customElements.define('vesfx-rate', VesfxRate);
})();
