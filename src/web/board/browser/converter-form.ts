import { element, show } from '../../frame/browser/elements.ts';
import type { BoardFigures, BoardPast, ConvertibleRate } from '../board-figures.ts';
import type { BoardReader } from '../board-parts.ts';
import { CONVERTER_TEXTS } from '../board-texts.ts';
import { type ConversionAsk, conversionAddress, conversionAsk, convert } from '../converter.ts';
import { conversionResult } from '../converter-parts.ts';

/** Browsers refuse more than some hundred changes of the address in half a minute. */
const ADDRESS_WAIT_MS = 400;

/** The converter while one types: by the same functions and rates as the page that was sent. */
export function liveConverter(
  reader: () => BoardReader,
  chosen: boolean,
): { figures(figures: BoardFigures): void } {
  const form = element('converter', HTMLFormElement);
  const amount = element('amount', HTMLInputElement);
  const from = element('from', HTMLSelectElement);
  const via = element('via', HTMLSelectElement);
  const date = element('date', HTMLInputElement);
  const swap = element('swap', HTMLButtonElement);
  const place = element('conversion', HTMLElement);
  let current: BoardFigures | undefined;
  /** As the address has it, until something is typed. */
  let ask: ConversionAsk = conversionAsk(new URLSearchParams(location.search));
  let timer: ReturnType<typeof setTimeout> | undefined;

  const baseOf = (id: string) => current?.rates.find(({ market }) => market === id)?.base;

  /** Rates of past days by day; empty where there are none, undefined while they are asked for. */
  const past = new Map<string, readonly ConvertibleRate[] | undefined>();

  /** The rates of the day chosen, or of now; undefined until they are there. */
  function rates(): readonly ConvertibleRate[] | undefined {
    if (ask.date === '') return current?.rates;
    if (!past.has(ask.date)) void load(ask.date);
    return past.get(ask.date);
  }

  async function load(day: string): Promise<void> {
    past.set(day, undefined);
    past.set(day, await ratesOn(day));
    update();
    showAddress();
  }

  function update(): void {
    const known = rates();
    if (current === undefined || known === undefined) return;
    const now = reader();
    const conversion = convert({ ...ask, via: via.value }, known, now.language);
    show(place, conversionResult(conversion, now, chosen).markup);
    const copy = document.getElementById('copy');
    if (copy !== null) copy.hidden = !('clipboard' in navigator);
    swap.hidden = false;
  }

  function changed(): void {
    const { language } = reader();
    const day = date.value;
    ask = {
      amount: amount.value,
      from: from.value,
      to: '',
      via: via.value,
      date: day,
      typedIn: language,
    };
    update();
    clearTimeout(timer);
    timer = setTimeout(showAddress, ADDRESS_WAIT_MS);
  }

  /** The address of the page becomes that of the conversion, ready to be shared. */
  function showAddress(): void {
    const known = rates();
    if (known === undefined) return;
    const { language } = reader();
    const { done } = convert(ask, known, language);
    if (done === undefined) return;
    history.replaceState(null, '', conversionAddress(done, chosen ? language : undefined));
  }

  amount.addEventListener('input', changed);
  date.addEventListener('change', changed);
  via.addEventListener('change', () => {
    const base = baseOf(via.value);
    if (from.value !== 'VES' && base !== undefined) from.value = base;
    changed();
  });
  from.addEventListener('change', () => {
    if (from.value !== 'VES' && baseOf(via.value) !== from.value) {
      const fitting = current?.rates.find(({ base }) => base === from.value);
      if (fitting !== undefined) via.value = fitting.market;
    }
    changed();
  });
  swap.addEventListener('click', () => {
    from.value = from.value === 'VES' ? (baseOf(via.value) ?? 'USD') : 'VES';
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
      },
      // Refused by the browser: the text can still be marked.
      () => {
        target.hidden = true;
      },
    );
  });

  return {
    figures(figures) {
      current = figures;
      offer(via, figures);
      update();
    },
  };
}

/** The rates of a past day; none when the board has none of it, or cannot be reached. */
async function ratesOn(day: string): Promise<readonly ConvertibleRate[]> {
  try {
    const response = await fetch(`/board/rates.json?${new URLSearchParams({ date: day })}`);
    if (!response.ok) return [];
    // The body is of the type that the service writes it from.
    return ((await response.json()) as BoardPast).rates;
  } catch {
    return [];
  }
}

/** The markets of the moment; the chosen one stays chosen while it is there. */
function offer(via: HTMLSelectElement, { rates }: BoardFigures): void {
  const known = [...via.options].map(({ value }) => value).join();
  if (known === rates.map(({ market }) => market).join()) return;
  const { value } = via;
  via.replaceChildren(
    ...rates.map(({ market, name, base }) => new Option(`${name} (${base})`, market)),
  );
  if (rates.some(({ market }) => market === value)) via.value = value;
}
