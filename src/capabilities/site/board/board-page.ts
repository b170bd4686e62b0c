import { h } from 'preact';
import { html } from '../../../core/http/framework/encoding/html.ts';
import { jsonText } from '../../../core/http/framework/encoding/markup.ts';
import { page } from '../frame/layout.ts';
import type { PageView } from '../frame/page-view.ts';
import { BOARD_TEXTS } from '../texts/texts.ts';
import { BoardApp } from './board-app.ts';
import { BOARD_DATA_ID, BOARD_ID, type BoardData } from './board-data.ts';
import { shareTags } from './converter/share-tags.ts';
import { developerBand } from './developer-band.ts';
import { withLateOfficial } from './staleness.ts';

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
    assets: ['board.css', 'board.js', 'paper.js'],
    head: shareTags(view, { ...data, figures: withLateOfficial(data.figures, data.days) }),
    content: html`<div id="${BOARD_ID}" class="board-parts">${h(BoardApp, { data })}</div>
${developerBand(view, data.figures)}
<script type="application/json" id="${BOARD_DATA_ID}" dangerouslySetInnerHTML=${{ __html: jsonText(data) }}></script>`,
  });
}
