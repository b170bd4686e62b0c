import { ApiError } from '../../../core/domain/errors.ts';
import { type Instant, parseCaracasDay } from '../../../core/domain/time.ts';
import { DEFAULT_LANGUAGE, languageNamed } from '../../../core/domain/words/language.ts';
import { madeOnce } from '../../../core/http/framework/encoding/made-once.ts';
import { WrittenBody } from '../../../core/http/framework/encoding/written-answer.ts';
import type { Page } from '../../../core/http/pipeline/route.ts';
import type { Services } from '../../../core/http/pipeline/services.ts';
import type { ServingParts } from '../../../core/http/serving/server-parts.ts';
import type { BoardPast } from '../board/board-figures.ts';
import { boardPage } from '../board/board-page.ts';
import {
  COMPUTED,
  type ConversionRequest,
  conversionRequest,
  ruleOf,
} from '../board/converter/converter.ts';
import { OTHER_RULE } from '../board/converter/converter-days.ts';
import { asksForConversion, sharedConversion } from '../board/converter/share-tags.ts';
import { withLateOfficial } from '../board/staleness.ts';
import { BOARD_LIMIT, boardAnswer, PICTURE_LIMIT } from '../figures/board.ts';
import { boardPast, boardPastDate } from '../figures/board-figures.ts';
import { BOARD_MAX_AGE_SEC, type CurrentFigures } from '../figures/current-figures.ts';
import { htmlAnswer, pageView, type Site } from './html-pages.ts';
import { boardPicture } from './picture/board-picture.ts';
import { pictureBody } from './picture/picture-files.ts';

/** The address of a capability that may be absent. */
const STREAM = '/board/stream';

/** The board page, and the preview picture of a link to it. */
export function boardPages(
  current: CurrentFigures,
  site: () => Site,
  answers: ServingParts['answers'],
): readonly Page[] {
  const { services, historyDays } = current.board;
  const limited =
    (respond: Page['respond']): Page['respond'] =>
    (request) => {
      request.take(BOARD_LIMIT);
      return respond(request);
    };

  /** The rates of a day for the page, or an empty result, which the page explains. */
  async function pastOrNone(conversion: ConversionRequest, now: Instant): Promise<BoardPast> {
    const date = parseCaracasDay(conversion.date);
    if (date === undefined) return { date: conversion.date, rates: [] };
    try {
      const past = boardPastDate(
        { date, rule: ruleOf(conversion) },
        { historyDays, now, services },
      );
      return await boardPast(past, now, services);
    } catch (error) {
      if (error instanceof ApiError) return { date, rates: [] };
      throw error;
    }
  }

  return [
    {
      path: '/',
      addressLimits: [BOARD_LIMIT],
      respond: limited(async (request) => {
        const view = pageView(request, site());
        const { figures, days, pages } = await current.at(request.now);
        const write = (conversion: ConversionRequest, past?: BoardPast, otherRule?: BoardPast) =>
          boardPage(view, {
            ...{ figures, days, past, otherRule },
            request: conversion,
            unknownMarket: unknownMarket(conversion, services),
            now: request.now,
            stream: answers(STREAM) ? STREAM : undefined,
          });
        const cacheControl = `public, max-age=${BOARD_MAX_AGE_SEC}`;
        const conversion = marketById(conversionRequest(view.query), services);
        const names = [...view.query.keys()];
        if (names.some((name) => name !== 'lang')) {
          const page = async () => {
            const isPast = conversion.date !== '';
            if (!isPast) return write(conversion);
            const past = await pastOrNone(conversion, request.now);
            // On a day without banks the reader chooses between the rates of both rules.
            const isClosed = past.rates.some(({ as_of: asOf }) => asOf?.business_day === false);
            const rule = OTHER_RULE[conversion.rule];
            const other =
              // Its rate may be missing, and says nothing of the day then.
              isClosed || conversion.rule === 'next_banking_day'
                ? await pastOrNone({ ...conversion, rule }, request.now)
                : undefined;
            return write(conversion, past, other);
          };
          return htmlAnswer(view, page, { cacheControl });
        }
        const name = `${view.language} ${view.languageChosen}`;
        const body = pages.get(name) ?? new WrittenBody(write(conversion), { kept: false });
        pages.set(name, body);
        return htmlAnswer(view, body, { cacheControl });
      }),
    },
    {
      path: '/board/picture.png',
      addressLimits: [BOARD_LIMIT, PICTURE_LIMIT],
      respond: limited(async (request) => {
        const query = new URLSearchParams(request.query);
        // The language comes only from the address, because chats send none.
        const language = languageNamed(query.get('lang')) ?? DEFAULT_LANGUAGE;
        const isDemo = site().notice !== undefined;
        const asked = asksForConversion(query)
          ? marketById(conversionRequest(query), services)
          : undefined;
        if (asked !== undefined) request.take(PICTURE_LIMIT);
        const body = await request.inTurn(async () => {
          const past =
            asked === undefined || asked.date === ''
              ? undefined
              : await pastOrNone(asked, request.now);
          const { figures: known, days, pictures } = await current.at(request.now);
          const figures = withLateOfficial(known, days);
          const conversion = asked && sharedConversion({ figures, past, request: asked, language });
          return madeOnce(pictures, conversion?.address ?? language, () =>
            pictureBody(boardPicture(figures, { language, isDemo, conversion, days })),
          );
        });
        return boardAnswer(body, 'image/png');
      }),
    },
  ];
}

/** The market of the request, if neither the catalogue has it nor the page computes it. */
function unknownMarket({ via }: ConversionRequest, { markets }: Services): string | undefined {
  const isKnown = via === '' || COMPUTED.includes(via) || markets.find(via) !== undefined;
  return isKnown ? undefined : via;
}

/** Aliases are accepted like ids. */
function marketById(conversion: ConversionRequest, { markets }: Services): ConversionRequest {
  return { ...conversion, via: markets.find(conversion.via)?.id ?? conversion.via };
}
