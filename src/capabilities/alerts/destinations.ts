import { SECOND_MS } from '../../core/domain/time.ts';
import { post } from '../../core/outbound/post.ts';
import type { AlertDestination, AlertMessage } from './alert-types.ts';

// limit: Wait for a destination | 10 s | again after a minute
const ALERT_TIMEOUT_MS = 10 * SECOND_MS;
/** Longest message, in characters. Telegram accepts 4,096; the others accept more. */
// limit: Text | 4,000 characters | cut
const MAX_ALERT_LENGTH = 4_000;
// limit: Destinations | 10 | not started
const MAX_ALERT_DESTINATIONS = 10;

/** An invalid address of `VESFX_ALERTS`. The message is for the operator and contains no secret. */
export class AlertAddressError extends Error {}

/**
 * Reads destinations separated by spaces or commas. `telegram://TOKEN@CHAT`,
 * `smtp://USER:PASSWORD@HOST:PORT?from=A&to=B` (or `smtps:`), and webhooks: `https://…`, in the
 * format of Slack or Discord for their hosts or with `#slack` or `#discord` appended.
 * @throws AlertAddressError
 */
export function alertDestinations(text: string): readonly AlertDestination[] {
  const addresses = text.split(/[\s,]+/).filter((address) => address !== '');
  if (addresses.length > MAX_ALERT_DESTINATIONS) {
    throw new AlertAddressError(`at most ${MAX_ALERT_DESTINATIONS} destinations are allowed.`);
  }
  return addresses.map((address, index) => {
    const place = `destination ${index + 1}`;
    const url = URL.canParse(address) ? new URL(address) : undefined;
    switch (url?.protocol) {
      case 'telegram:':
        return telegram(url, place);
      case 'smtp:':
      case 'smtps:':
        return email(url, place);
      case 'https:':
      case 'http:':
        return webhook(url, place);
      default:
        throw new AlertAddressError(`${place} must begin with telegram:, smtp:, smtps: or https:.`);
    }
  });
}

function textOf({ title, lines }: AlertMessage): string {
  const text = [title, ...lines].join('\n');
  return text.length <= MAX_ALERT_LENGTH ? text : `${text.slice(0, MAX_ALERT_LENGTH - 1)}…`;
}

const TELEGRAM = 'https://api.telegram.org';

/** `?api=` names another server with Telegram's protocol, such as a self-hosted one. */
function telegram(url: URL, place: string): AlertDestination {
  // Tokens look like 123456:ABC, which a URL parser reads as user name and password. It takes the
  // last @ as their end, but the @ before the name of a channel is part of the name.
  const named = [url.username, url.password].filter((part) => part !== '').join(':');
  const token = named.replace(/%40$/, '');
  const at = token === named ? '' : '@';
  const chat = decoded(at + url.host + url.pathname.replace(/\/$/, ''), place);
  if (token === '' || chat === '') {
    throw new AlertAddressError(`${place} must be telegram://TOKEN@CHAT.`);
  }
  const api = url.searchParams.get('api') ?? TELEGRAM;
  if (!/^https?:/.test(api) || !URL.canParse(api)) {
    throw new AlertAddressError(`${place}: api must be an http: or https: address.`);
  }
  requireNoPassword(new URL(api), place);
  const address = `${api}/bot${decoded(token, place)}/sendMessage`;
  return {
    name: `telegram chat ${chat}`,
    send: (message) => postTo(address, { chat_id: chat, text: textOf(message) }),
  };
}

function decoded(text: string, place: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new AlertAddressError(`${place} has a % that encodes no character: write it as %25.`);
  }
}

/** @throws AlertAddressError. `fetch` refuses such an address too, but its error shows the password. */
function requireNoPassword({ username, password }: URL, place: string): void {
  if (username === '' && password === '') return;
  throw new AlertAddressError(`${place} must not have a user name or password.`);
}

function webhook(url: URL, place: string): AlertDestination {
  requireNoPassword(url, place);
  const { host, hash } = url;
  const shape =
    hash === '#slack' || host === 'hooks.slack.com'
      ? 'slack'
      : hash === '#discord' || /(^|\.)discord(app)?\.com$/.test(host)
        ? 'discord'
        : 'plain';
  const address = new URL(url);
  address.hash = '';
  return {
    name: `${shape === 'plain' ? 'webhook' : shape} at ${host}`,
    send(message) {
      const text = textOf(message);
      if (shape === 'slack') return postTo(address.href, { text });
      // Discord accepts 2,000 characters.
      if (shape === 'discord') return postTo(address.href, { content: text.slice(0, 2_000) });
      return postTo(address.href, { title: message.title, lines: message.lines, text });
    },
  };
}

/** To any address: the operator chose it, and it may be one of the operator's own network. */
async function postTo(url: string, body: object): Promise<void> {
  const text = JSON.stringify(body);
  const { status } = await post(new URL(url), { body: text, timeoutMs: ALERT_TIMEOUT_MS });
  if (status < 200 || status > 299) throw new Error(`it answered with status ${status}`);
}

const NO_ANSWER = `no answer within ${ALERT_TIMEOUT_MS / SECOND_MS} s`;

function email(url: URL, place: string): AlertDestination {
  const [from, to] = [url.searchParams.get('from'), url.searchParams.get('to')];
  if (url.hostname === '' || from === null || to === null) {
    throw new AlertAddressError(`${place} must be smtp://HOST:PORT?from=ADDRESS&to=ADDRESS.`);
  }
  const secure = url.protocol === 'smtps:';
  const auth = { user: decoded(url.username, place), pass: decoded(url.password, place) };
  return {
    name: `mail to ${to}`,
    async send(message) {
      // Import on demand: most services send no mail.
      const { createTransport } = await import('nodemailer');
      const transport = createTransport({
        host: url.hostname,
        port: Number(url.port) || (secure ? 465 : 587),
        secure,
        auth: url.username === '' ? undefined : auth,
      });
      // The time-outs of nodemailer begin again with each line that the server sends.
      const deadline = AbortSignal.timeout(ALERT_TIMEOUT_MS);
      const { title: subject } = message;
      await transport
        .sendMail({ from, to, subject, text: textOf(message), signal: deadline })
        .catch((error: unknown) => {
          throw deadline.aborted ? new Error(NO_ANSWER) : error;
        });
    },
  };
}
