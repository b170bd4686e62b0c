import { hash } from 'node:crypto';
import { sentence } from '../../core/domain/errors/sentence.ts';
import { madeOnce } from '../../core/http/framework/encoding/made-once.ts';
import {
  PAGE_MAX_AGE_SEC,
  WrittenBody,
} from '../../core/http/framework/encoding/written-answer.ts';
import { writtenEndpoint } from '../../core/http/pipeline/endpoint.ts';
import type { Serve } from '../../core/http/serving/server-parts.ts';
import { type File, filesThere } from './files.ts';

// limit: Files taken from one address | 60 a minute, all workers | 429
const FILES_PER_MINUTE = 60;

const LIMIT = {
  name: 'handouts',
  perMinute: FILES_PER_MINUTE,
  message: sentence(
    'Too many files taken from this address.',
    'Demasiados archivos descargados desde esta dirección.',
  ),
};

interface Packed {
  readonly body: WrittenBody;
  readonly sha256: string;
}

/** Shared by all servers of a process. Each is read and packed at the first request for it. */
const packedFiles = new Map<string, Promise<Packed>>();

function packed({ name, source, read, isPacked }: File): Promise<Packed> {
  return madeOnce(packedFiles, name, async () => {
    const bytes = await read(source);
    const sha256 = hash('sha256', bytes, 'hex');
    return { body: new WrittenBody(bytes, { isPacked, version: sha256 }), sha256 };
  });
}

const pathOf = ({ name }: File) => `/client/${name}`;

/** The files at their addresses, and the list of them for the page that names them. */
export const serveHandouts: Serve = () => {
  const files = filesThere();
  return {
    endpoints: files.map((file) =>
      writtenEndpoint({
        path: pathOf(file),
        access: 'open',
        addressLimit: LIMIT,
        handle: async () => ({
          contentType: file.contentType,
          body: (await packed(file)).body,
          headers: [
            ...['Content-Disposition', `attachment; filename="${file.name}"`],
            ...['Cache-Control', `public, max-age=${PAGE_MAX_AGE_SEC}`],
          ],
        }),
      }),
    ),
    handedOut: () =>
      Promise.all(
        files.map(async (file) => {
          const { sha256 } = await packed(file);
          return { path: pathOf(file), about: file.about, install: file.install, sha256 };
        }),
      ),
  };
};
