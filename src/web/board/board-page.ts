import { h } from 'preact';
import { html } from '../frame/html.ts';
import { page } from '../frame/layout.ts';
import { jsonText } from '../frame/markup.ts';
import type { PageView } from '../frame/page-view.ts';
import { BoardApp } from './board-app.ts';
import { BOARD_DATA_ID, BOARD_ID, type BoardData } from './board-data.ts';
import { BOARD_TEXTS } from './board-texts.ts';
import { asksForConversion, shareTags } from './converter/share-tags.ts';

/** The board. The page contains all figures, and a script keeps them up to date. */
export function boardPage(
  view: PageView,
  parts: Omit<BoardData, 'language' | 'languageChosen' | 'query'>,
): string {
  const { language, languageChosen } = view;
  const texts = BOARD_TEXTS[language];
  const data: BoardData = { ...parts, language, languageChosen, query: view.query.toString() };
  return page(view, {
    title: texts.title,
    description: texts.description,
    kind: 'board',
    assets: ['board.css', 'board.js'],
    head: shareTags({
      ...data,
      past: data.past,
      notice: view.notice?.[language],
      asksForOne: asksForConversion(view.query),
    }),
    content: html`<div id="${BOARD_ID}" class="board-parts">${h(BoardApp, { data })}</div>
<script type="application/json" id="${BOARD_DATA_ID}" dangerouslySetInnerHTML=${{ __html: jsonText(data) }}></script>`,
  });
}
