import { caracasDayOf } from '../../../domain/time.ts';
import { element } from '../../frame/browser/elements.ts';
import { show } from '../../frame/browser/show.ts';
import { moneyText } from '../../frame/format.ts';
import { html } from '../../frame/html.ts';
import type { BoardReader } from '../age.ts';
import type { BoardFigures, BoardPast, ConvertibleRate } from '../board-figures.ts';
import {
  type Conversion,
  type ConversionRequest,
  conversionAddress,
  conversionRequest,
  convertibleRates,
  convertTyped,
  faultyInput,
  ruleNamed,
  ruleOf,
} from '../converter/converter.ts';
import {
  conversionResult,
  converterFields,
  currencyText,
  currencyWord,
  fieldSize,
  marketOptions,
  otherMarkets,
  swapAddress,
} from '../converter/converter-parts.ts';
import { CONVERTER_TEXTS } from '../converter/converter-texts.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_WAIT_MS = 400;
/** How long the copy button says that it copied. */
const COPIED_MS = 2_000;
const READ_TIMEOUT_MS = 20_000;

/** The converter while the reader types. It uses the functions and rates of the page. */
export function liveConverter(reader: () => BoardReader): {
  figures(figures: BoardFigures): void;
} {
  const form = element('converter', HTMLFormElement);
  const upper = element('amount', HTMLInputElement);
  const lower = element('other', HTMLInputElement);
  const from = element('from', HTMLInputElement);
  const swap = element('swap', HTMLAnchorElement);
  const market = element('via-market', HTMLSelectElement);
  const date = element('date', HTMLInputElement);
  const rule = element('rule', HTMLSelectElement);
  const problem = element('amount-problem', HTMLElement);
  const place = element('conversion', HTMLElement);
  let current: BoardFigures | undefined;
  /** The field in which the reader typed last. The other field follows it. */
  let typed = upper;
  /** The conversion of the address, until the reader types. */
  let request: ConversionRequest = conversionRequest(new URLSearchParams(location.search));
  let timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the reader changed anything since the script was loaded. */
  let isTouched = false;
  /** Whether the rates of a day are being requested, without any to show meanwhile. */
  let isLoading = false;

  const via = () =>
    form.querySelector<HTMLInputElement>('input[name=via]:checked')?.value || market.value;

  /** Rates of past days by query: empty for a day without rates, undefined until they arrive. */
  const past = new Map<string, readonly ConvertibleRate[] | undefined>();

  /** The rates of the chosen day, or the current ones; undefined until they arrive. */
  function rates(): readonly ConvertibleRate[] | undefined {
    if (request.date === '') return current && convertibleRates(current);
    const query = pastQuery();
    if (!past.has(query)) void load(query);
    return past.get(query);
  }

  function pastQuery(): string {
    const counting = ruleOf({ rule: request.rule, via: via() });
    return new URLSearchParams({ date: request.date, rule: counting }).toString();
  }

  async function load(query: string): Promise<void> {
    past.set(query, undefined);
    const found = await ratesOn(query);
    if (found === undefined) {
      // Not kept: the next change asks again.
      past.delete(query);
      if (isLoading && query === pastQuery()) showFailure();
      return;
    }
    past.set(query, found);
    update();
    showAddress();
  }

  /** Until the rates of a day arrive, no figure of another day is shown. */
  function showLoading(): void {
    isLoading = true;
    const other = typed === upper ? lower : upper;
    other.value = '';
    problem.textContent = '';
    show(place, html`<p class="quiet">${CONVERTER_TEXTS[reader().language].loading}</p>`);
  }

  function showFailure(): void {
    show(place, '');
    problem.textContent = CONVERTER_TEXTS[reader().language].notLoaded;
  }

  function converted(): Conversion | undefined {
    const known = rates();
    return known && convertTyped({ ...request, via: via() }, known, reader().language);
  }

  function update(): void {
    element('on-rule', HTMLElement).classList.toggle('undated', request.date === '');
    const known = rates();
    const conversion = converted();
    if (known === undefined || conversion === undefined) return;
    isLoading = false;
    const now = reader();
    const { language, languageChosen } = now;
    const { problems } = CONVERTER_TEXTS[language];
    const { done } = conversion;
    problem.textContent = done === undefined ? problems[conversion.problem] : '';
    const other = typed === upper ? lower : upper;
    const isOfDate = done === undefined && faultyInput(conversion.problem) === 'date';
    const faulty = isOfDate ? date : typed;
    for (const field of [upper, lower, date]) {
      if (done === undefined && field === faulty) field.setAttribute('aria-invalid', 'true');
      else field.removeAttribute('aria-invalid');
    }
    other.value = done === undefined ? '' : moneyText(done.result, language);
    const asked = { ...request, via: via() };
    const fields = converterFields(asked, conversion, { rates: known, language });
    const isUpper = typed === upper;
    name(upper, isUpper ? fields.from : fields.to);
    name(lower, isUpper ? fields.to : fields.from);
    from.value = (isUpper ? fields.from : fields.to) === 'VES' ? 'VES' : '';
    swap.href = swapAddress(conversion, asked, languageChosen ? language : undefined);
    show(place, conversionResult(conversion, now));
    const copy = document.getElementById('copy');
    if (copy !== null) copy.hidden = !('clipboard' in navigator);
  }

  /** The currency of a field, for the eye and for the ear. */
  function name(field: HTMLInputElement, currency: string): void {
    const { language } = reader();
    const word = currencyWord(currency, language);
    element(`${field.id}-currency`, HTMLElement).textContent = currencyText(currency);
    element(`${field.id}-word`, HTMLElement).textContent = word;
    field.parentElement?.setAttribute('data-size', fieldSize(field.value));
    field.setAttribute('aria-label', CONVERTER_TEXTS[language].amountIn(word));
  }

  function changed(): void {
    isTouched = true;
    const isFromVes = (from.value === 'VES') === (typed === upper);
    const { language } = reader();
    request = {
      amount: typed.value,
      from: isFromVes ? 'VES' : '',
      to: '',
      via: '',
      date: date.value,
      rule: ruleNamed(rule.value),
      typedIn: language,
    };
    update();
    if (request.date !== '' && rates() === undefined) showLoading();
    clearTimeout(timer);
    timer = setTimeout(showAddress, ADDRESS_WAIT_MS);
  }

  /** Puts the conversion into the address of the page, ready to be shared. */
  function showAddress(): void {
    const done = converted()?.done;
    if (done === undefined) return;
    const { language, languageChosen } = reader();
    history.replaceState(null, '', conversionAddress(done, languageChosen ? language : undefined));
  }

  for (const field of [upper, lower]) {
    // Readers type a new amount more often than they correct the old one.
    field.addEventListener('focus', () => field.select());
    field.addEventListener('input', () => {
      typed = field;
      changed();
    });
  }
  form.addEventListener('change', (event) => {
    if (event.target !== upper && event.target !== lower) changed();
  });
  swap.addEventListener('click', (event) => {
    event.preventDefault();
    from.value = from.value === 'VES' ? '' : 'VES';
    if (typed === lower) upper.value = lower.value;
    typed = upper;
    changed();
  });
  form.addEventListener('submit', (event) => {
    event.preventDefault();
    changed();
    showAddress();
  });
  place.addEventListener('click', (event) => {
    const target = event.target;
    if (!(target instanceof HTMLElement) || target.id !== 'copy') return;
    const texts = CONVERTER_TEXTS[reader().language];
    const result = document.getElementById('result')?.textContent ?? '';
    navigator.clipboard.writeText(result).then(
      () => {
        target.textContent = texts.copied;
        setTimeout(() => {
          target.textContent = texts.copy;
        }, COPIED_MS);
      },
      // The browser refused. The reader can still select the text.
      () => {
        target.hidden = true;
      },
    );
  });

  return {
    figures(figures) {
      const isFirst = current === undefined;
      current = figures;
      offer(market, figures, reader());
      // A page that is open at midnight changes to the new day.
      const today = caracasDayOf(reader().now);
      // From that day on the bolívares of a past day may be old ones.
      if (date.max !== today) past.clear();
      date.max = today;
      if (isFirst && !isTouched) {
        // The reader typed or chose before this script was loaded.
        const early = [upper, lower].find((field) => field.value !== field.defaultValue);
        if (early !== undefined || date.value !== date.defaultValue) {
          typed = early ?? upper;
          changed();
          return;
        }
      }
      if (isFirst && converted()?.done === undefined && request.via !== '') return;
      update();
    },
  };
}

/** Statuses for a day without rates. They are no failure. */
const REFUSED = [400, 403, 404];

/** The rates of a past day; empty when the board has none, undefined when it does not answer. */
async function ratesOn(query: string): Promise<readonly ConvertibleRate[] | undefined> {
  try {
    const signal = AbortSignal.timeout(READ_TIMEOUT_MS);
    const response = await fetch(`/board/rates.json?${query}`, { signal });
    if (REFUSED.includes(response.status)) return [];
    if (!response.ok) return undefined;
    // The service writes the body from a value of this type.
    return ((await response.json()) as BoardPast).rates;
  } catch {
    return undefined;
  }
}

/** Fills in the current markets. The chosen market stays chosen. */
function offer(market: HTMLSelectElement, figures: BoardFigures, { language }: BoardReader): void {
  const known = [...market.options].map(({ value }) => value).join();
  const listed = otherMarkets(figures).map(({ market: id }) => id);
  const isOffered = market.value === '' || listed.includes(market.value);
  if (known === (isOffered ? listed : [market.value, ...listed]).join()) return;
  show(market, marketOptions(market.value, figures, language));
}
