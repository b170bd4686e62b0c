import { isoInstant, utcDayOf } from '../../core/domain/time.ts';
import { type OpenFormat, RATE_COLUMNS, unitSinceOf } from './format.ts';
import { CENTRAL_BANK } from './selection.ts';

/** As in RFC 4180 and the answers of the API. No value needs quotes. */
const EOL = '\r\n';

/** Every line that has a figure of the central bank names it, as its terms ask. */
export const openCsv: OpenFormat = (file, unitSince) => {
  let begun = file.write([...RATE_COLUMNS, 'source'].join(',') + EOL);
  const side = (value: number) => (value === 0 ? '' : value);
  return {
    async quotes(market, quotes) {
      await begun;
      let text = '';
      for (const quote of quotes) {
        const { mid, ask, bid, updatedAt, capturedAt, valueDate } = quote;
        const day = valueDate ?? utcDayOf(capturedAt);
        const unit = unitSinceOf(quote, unitSince) ?? '';
        const end = valueDate === undefined ? `,${unit},` : `${valueDate},${unit},${CENTRAL_BANK}`;
        text += `${market},${day},${mid},${side(ask)},${side(bid)},${isoInstant(updatedAt)},${isoInstant(capturedAt)},${end}${EOL}`;
      }
      begun = file.write(text);
      await begun;
    },
    finish: () => begun,
  };
};
