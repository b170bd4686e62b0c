import { randomUUID } from 'node:crypto';
import { resolve } from 'node:path';
import type { Edition, Job, ProcessParts } from '../../core/capability.ts';
import type { EndpointFiles } from './copy-content.ts';
import { Exporter } from './exporter.ts';
import { copyContent, openStaticCopy } from './write-copy.ts';

/** Keeps the static copy in a folder current. @throws ConfigError for a folder that is not its own. */
export async function openExporter(dir: string, parts: ProcessParts): Promise<Job> {
  const copy = await openStaticCopy(resolve(dir));
  let known: { readonly of: Edition; readonly content: EndpointFiles } | undefined;
  const content = async () => {
    const of = parts.edition();
    if (known?.of !== of) known = { of, content: copyContent(of, parts.config) };
    return known.content;
  };
  return {
    start: () => new Exporter({ ...parts, copy, content, holder: randomUUID() }).start(),
  };
}
