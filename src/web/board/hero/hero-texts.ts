import { inBoth } from '../../frame/language.ts';

export const HERO_TEXTS = inBoth({
  es: {
    today: (day: string) => `Hoy, ${day}`,
    tomorrow: (day: string) => `Mañana, ${day}`,
    holiday: 'feriado bancario',
    sinceToday: 'rige desde hoy',
    /** A rate of an earlier day that is still in force. */
    ruling: (day: string) => `rige la del ${day}`,
    next: 'Próxima tasa',
    noNext: 'El BCV aún no la publica',
    nextBy: (time: string) => `Se espera antes de las ${time}`,
    /** While a publication is overdue. */
    nextOverdue: 'Aún no la hemos recibido',
    /** While the service does not answer. */
    nextUnknown: 'No se sabe sin conexión',
    before: (day: string) => `frente al ${day}`,
    lastDays: (days: number) => `En ${days} días`,
    curve: (days: number, from: string, to: string) =>
      `Tasa oficial de los últimos ${days} días: de ${from} a ${to} hoy`,
    curveNext: (rate: string, day: string) => `, y ${rate} desde el ${day}`,
    now: 'hoy',
  },
  en: {
    today: (day) => `Today, ${day}`,
    tomorrow: (day) => `Tomorrow, ${day}`,
    holiday: 'bank holiday',
    sinceToday: 'in effect since today',
    ruling: (day) => `in effect since ${day}`,
    next: 'Next rate',
    noNext: 'Not published by the BCV yet',
    nextBy: (time) => `Expected before ${time}`,
    nextOverdue: 'Not received yet',
    nextUnknown: 'Not known while offline',
    before: (day) => `vs. ${day}`,
    lastDays: (days) => `In ${days} days`,
    curve: (days, from, to) =>
      `Official rate of the last ${days} days: from ${from} to ${to} today`,
    curveNext: (rate, day) => `, and ${rate} from ${day}`,
    now: 'today',
  },
});
