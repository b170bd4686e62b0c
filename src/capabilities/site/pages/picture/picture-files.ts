import {
  DEFAULT_LANGUAGE,
  type Language,
  languageNamed,
} from '../../../../core/domain/words/language.ts';
import { madeOnce } from '../../../../core/http/framework/encoding/made-once.ts';
import {
  PAGE_MAX_AGE_SEC,
  WrittenBody,
} from '../../../../core/http/framework/encoding/written-answer.ts';
import type { Page } from '../../../../core/http/pipeline/route.ts';
import { ICON, iconSvg, MARK_SHARE } from '../../frame/icon.ts';
import { SITE_PARTS } from '../../frame/site-parts.ts';
import type { Site } from '../html-pages.ts';
import { drawn } from './painter.ts';
import { partPicture } from './part-picture.ts';
import { PICTURE_WIDTH } from './picture-frame.ts';

/** Small enough to stay whole when a phone cuts the icon to a circle. */
const MASKABLE_SHARE = 0.56;

/** Icons for the home screens of phones. A maskable one may be cut to any shape. */
export const PNG_ICONS = [
  { path: '/icon.png', size: 192, maskable: false },
  { path: '/icon-512.png', size: 512, maskable: false },
  { path: '/icon-maskable.png', size: 512, maskable: true },
] as const;

/** The bytes of a picture that a link shows. */
export async function pictureBody(svg: string): Promise<WrittenBody> {
  return new WrittenBody(await drawn(svg, PICTURE_WIDTH), { isPacked: true });
}

/** The icons of the site, and the pictures of links to its pages without figures. */
export function pictureFiles(site: () => Site): readonly Page[] {
  return [
    file('/favicon.ico', 'image/x-icon', async () => new WrittenBody(await favicon())),
    ...PNG_ICONS.map(({ path, size, maskable }) =>
      file(path, 'image/png', async () => {
        const share = maskable ? MASKABLE_SHARE : MARK_SHARE;
        return new WrittenBody(await drawn(iconSvg({ share, corners: 0 }), size));
      }),
    ),
    file('/icon.svg', 'image/svg+xml', async () => new WrittenBody(ICON)),
    ...SITE_PARTS.map(({ name }) =>
      file(`/picture/${name}.png`, 'image/png', (language) =>
        pictureBody(partPicture(name, { language, isDemo: site().notice !== undefined })),
      ),
    ),
  ];
}

/** A file drawn at the first request. Only its address names a language, because chats send none. */
function file(
  path: string,
  contentType: string,
  make: (language: Language) => Promise<WrittenBody>,
): Page {
  const made = new Map<Language, Promise<WrittenBody>>();
  const headers = ['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`];
  return {
    path,
    async respond({ query }) {
      const language = languageNamed(new URLSearchParams(query).get('lang')) ?? DEFAULT_LANGUAGE;
      const body = await madeOnce(made, language, () => make(language));
      return { contentType, body, headers };
    },
  };
}

const ICO_HEADER_BYTES = 6;
const ICO_ENTRY_BYTES = 16;
const FAVICON_SIZES = [16, 32, 48] as const;

/** `favicon.ico`: PNGs of the usual sizes. */
async function favicon(): Promise<Buffer> {
  const icon = iconSvg({ share: MARK_SHARE, corners: 0 });
  const pictures = await Promise.all(
    FAVICON_SIZES.map(async (size) => ({ size, png: await drawn(icon, size) })),
  );
  const head = Buffer.alloc(ICO_HEADER_BYTES + ICO_ENTRY_BYTES * pictures.length);
  head.writeUInt16LE(1, 2);
  head.writeUInt16LE(pictures.length, 4);
  let place = head.length;
  for (const [index, { size, png }] of pictures.entries()) {
    const at = ICO_HEADER_BYTES + index * ICO_ENTRY_BYTES;
    head[at] = size;
    head[at + 1] = size;
    head.writeUInt16LE(1, at + 4);
    head.writeUInt16LE(32, at + 6);
    head.writeUInt32LE(png.length, at + 8);
    head.writeUInt32LE(place, at + 12);
    place += png.length;
  }
  return Buffer.concat([head, ...pictures.map(({ png }) => png)]);
}
