import { type Instant, SECOND_MS } from '../../../core/domain/time.ts';
import { once } from '../../../core/http/framework/encoding/made-once.ts';
import { officialFigure, parallelFigure, required, shown } from '../figures.ts';
import { addressesWith, type ForeignCall } from '../foreign-endpoint.ts';
import { refusalWith } from '../refusals.ts';

/** The address of DolarToday (contract §12), which no longer exists: the parallel dollar, and the official rates. */

const at = addressesWith(refusalWith('error'));

/** Created on first use, because each takes milliseconds. */
const formats = once(() => {
  const format = (locale: string, options: Intl.DateTimeFormatOptions) =>
    new Intl.DateTimeFormat(locale, { timeZone: 'America/Caracas', ...options });
  return {
    month: format('es-VE', { month: 'long' }),
    weekday: format('es-VE', { weekday: 'long' }),
    time: format('en-US', { hour: '2-digit', minute: '2-digit', hour12: true }),
    date: format('en-US', { day: 'numeric', year: 'numeric' }),
  };
});

/** `Marzo 1, 2021 09:00 PM` */
function timestamp(instant: Instant) {
  const capital = (text: string) => `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`;
  const { month, weekday, time, date } = formats();
  const [name, dia] = [capital(month.format(instant)), capital(weekday.format(instant))];
  const parts = date.formatToParts(instant);
  const part = (type: string) => parts.find((one) => one.type === type)?.value ?? '';
  const day = `${part('day')}, ${part('year')}`;
  return {
    epoch: String(Math.floor(instant / SECOND_MS)),
    fecha: `${name} ${day} ${time.format(instant).replace(/\s/, ' ')}`,
    fecha_corta: `${name.slice(0, 3)} ${day}`,
    fecha_nice: `${name} ${day}`,
    dia,
  };
}

/** The names under which it had the official rate. */
function official(call: ForeignCall, currency: 'USD' | 'EUR') {
  const view = ({ rate }: { readonly rate: number }) => ({ promedio_real: rate, sicad2: rate });
  return shown(call, officialFigure(call, currency), view)[0];
}

export const dolartodayAddresses = [
  at('/dolartoday/data.json', {
    official: true,
    memo: true,
    handle(call) {
      const parallel = shown(call, parallelFigure(call), ({ rate, updatedAt }) => ({
        _timestamp: timestamp(updatedAt),
        USD: { transferencia: rate, promedio: rate, dolartoday: rate, ...official(call, 'USD') },
      }));
      return { ...required(parallel), EUR: official(call, 'EUR') };
    },
  }),
];
