import { html } from '../../../web/frame/html.ts';
import { inBoth, type Language } from '../../../web/frame/language.ts';
import type { SitePart } from '../../../web/frame/site-parts.ts';
import { framed, line, PICTURE_COLOURS } from './picture-frame.ts';

const TEXTS = inBoth<Readonly<Record<SitePart, readonly [name: string, about: string]>>>({
  es: {
    board: ['Tasas del bolívar', 'BCV, paralelo y P2P, con su fecha y su fuente'],
    console: ['Consola', 'Su plan, sus claves y su consumo'],
    docs: ['Documentación', 'Las tasas del bolívar en su programa'],
    methodology: ['Metodología', 'Cómo se calcula cada cifra'],
    status: ['Estado del servicio', '¿Las tasas están al día?'],
  },
  en: {
    board: ['Bolívar rates', 'BCV, parallel and P2P, with their date and source'],
    console: ['Console', 'Your plan, your keys and your usage'],
    docs: ['Documentation', 'The rates of the bolívar in your program'],
    methodology: ['Methodology', 'How each figure is calculated'],
    status: ['Service status', 'Are the rates up to date?'],
  },
});

/** The picture of a link to a page without figures: the part of the site that it belongs to. */
export function partPicture(
  part: SitePart,
  of: { readonly language: Language; readonly isDemo: boolean },
): string {
  const [name, about] = TEXTS[of.language][part];
  const { bright } = PICTURE_COLOURS;
  return framed(
    html`${line(name, { y: 360, size: 104, weight: 700, colour: bright })}${line(about, { y: 440, size: 44 })}`,
    of,
  );
}
