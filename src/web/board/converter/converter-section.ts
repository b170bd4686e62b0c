import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { type Html, html } from '../../frame/html.ts';
import type { BoardReader } from '../age.ts';
import type { BoardData, LiveBoard } from '../board-data.ts';
import type { BoardFigures } from '../board-figures.ts';
import { converterForm } from './converter-parts.ts';

interface ConverterParts {
  readonly data: BoardData;
  readonly figures: BoardFigures;
  readonly reader: BoardReader;
  readonly live: LiveBoard | undefined;
}

/** The converter. Its script changes the elements, so they are written once. */
export function Converter({ data, figures, reader, live }: ConverterParts): Html {
  const { request, past } = data;
  const [written] = useState(() => converterForm(request, { figures, past }, reader));
  const current = useRef(reader);
  current.current = { ...reader, now: live?.clock.now() ?? reader.now };
  const form = useRef<{ figures(figures: BoardFigures): void }>(undefined);
  useLayoutEffect(() => {
    form.current = live?.startConverter(() => current.current);
  }, [live]);
  useLayoutEffect(() => form.current?.figures(figures));
  return html`<div class="conv">${written}</div>`;
}
