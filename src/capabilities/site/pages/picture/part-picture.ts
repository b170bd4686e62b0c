import type { Language } from '../../../../core/domain/words/language.ts';
import { html } from '../../../../core/http/framework/encoding/html.ts';
import type { SitePart } from '../../frame/site-parts.ts';
import { PICTURE_TEXTS } from '../../texts/texts.ts';
import { framed, line, PICTURE_COLOURS } from './picture-frame.ts';

/** The picture of a link to a page without figures: the part of the site that it belongs to. */
export function partPicture(
  part: SitePart,
  of: { readonly language: Language; readonly isDemo: boolean },
): string {
  const [name, about] = PICTURE_TEXTS[of.language].parts[part];
  const { bright } = PICTURE_COLOURS;
  return framed(
    html`${line(name, { y: 360, size: 104, weight: 700, colour: bright })}${line(about, { y: 440, size: 44 })}`,
    of,
  );
}
