import { officialFigure, required, shown } from '../figures.ts';
import { addressesWith, spanishRefusal } from '../foreign-endpoint.ts';

/** The addresses of bcvapi.tech (contract §12): an official rate, in Spanish. */

const at = addressesWith(spanishRefusal);

const CURRENCIES = [
  ['dolar', 'USD'],
  ['euro', 'EUR'],
] as const;

export const bcvapiAddresses = CURRENCIES.flatMap(([noun, currency]) =>
  [`/api/v1/${noun}`, `/api/v1/${noun}/public`].map((path) =>
    at(path, {
      official: true,
      memo: true,
      handle(call) {
        const figures = officialFigure(call, currency);
        return required(
          shown(call, figures, ({ rate, valueDate }) => ({ tasa: rate, fecha: valueDate })),
        );
      },
    }),
  ),
);
