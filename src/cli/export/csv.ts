import { CENTRAL_BANK } from '../../app/export/selection.ts';
import { isoInstant, utcDayOf } from '../../domain/time.ts';
import { type OpenFormat, RATE_COLUMNS } from './format.ts';

/** As in RFC 4180 and the answers of the API. No value needs quotes. */
const EOL = '\r\n';

/** Every line that has a figure of the central bank names it, as its terms ask. */
export const openCsv: OpenFormat = (file) => {
  let begun = file.write([...RATE_COLUMNS, 'source'].join(',') + EOL);
  const side = (value: number) => (value === 0 ? '' : value);
  return {
    async quotes(market, quotes) {
      await begun;
      let text = '';
      for (const { mid, ask, bid, updatedAt, capturedAt, valueDate } of quotes) {
        const day = valueDate ?? utcDayOf(capturedAt);
        const end = valueDate === undefined ? ',' : `${valueDate},${CENTRAL_BANK}`;
        text += `${market},${day},${mid},${side(ask)},${side(bid)},${isoInstant(updatedAt)},${isoInstant(capturedAt)},${end}${EOL}`;
      }
      begun = file.write(text);
      await begun;
    },
    finish: () => begun,
  };
};
