import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { SMTPServer } from 'smtp-server';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { ENGINES } from '../../../../test/contracts/engines.ts';
import { runHere } from '../../../../test/harness/commands.ts';
import { freePort, portOf } from '../../../../test/harness/ports.ts';
import { temporaryDir } from '../../../../test/harness/service.ts';
import { startUpstream } from '../../../../test/harness/upstream.ts';
import type { OpenedStore } from '../../../core/storage/store.ts';
import { alertStore } from '../alert-store.ts';
import type { AlertDestination, AlertMessage } from '../alert-types.ts';
import { ALERT_PAUSE_MS, Alerter, MAX_ALERT_LINES } from '../alerter.ts';
import { alertDestinations } from '../destinations.ts';
import { PROBLEM_KINDS, type Problem } from '../problems.ts';

/** Alerts, over real servers and a real store. */

const MESSAGE = { title: 'vesfx shop: one problem', lines: ['PROBLEM: the disk is full.'] };

/** A server that keeps what is posted to it. */
async function startReceiver() {
  const upstream = await startUpstream();
  const posts: { path: string; body: Record<string, unknown> }[] = [];
  upstream.answers((request, response) => {
    let text = '';
    request.on('data', (chunk: Buffer) => {
      text += chunk.toString();
    });
    request.on('end', () => {
      posts.push({ path: request.url ?? '', body: JSON.parse(text) });
      response.writeHead(200).end('ok');
    });
  });
  return { upstream, posts };
}

async function startMailServer() {
  const mails: { auth: string | undefined; to: string[]; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    allowInsecureAuth: true,
    disabledCommands: ['STARTTLS'],
    onAuth: ({ username, password }, _session, done) =>
      password === 'p w' ? done(null, { user: username ?? '' }) : done(new Error('wrong')),
    async onData(stream, session, done) {
      const chunks: Buffer[] = [];
      for await (const chunk of stream) chunks.push(chunk);
      const to = session.envelope.rcptTo.map(({ address }) => address);
      mails.push({ auth: session.user, to, text: Buffer.concat(chunks).toString() });
      done();
    },
  });
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
  return { mails, port: portOf(server.server) };
}

async function sendTo(address: string, message: AlertMessage = MESSAGE): Promise<void> {
  for (const destination of alertDestinations(address)) await destination.send(message);
}

describe('the destinations of alerts', () => {
  test('Telegram gets the text with its chat', async () => {
    const { upstream, posts } = await startReceiver();
    await sendTo(`telegram://123:ABC-d@-100200?api=${upstream.url.slice(0, -1)}`);
    const text = 'vesfx shop: one problem\nPROBLEM: the disk is full.';
    expect(posts).toEqual([
      { path: '/bot123:ABC-d/sendMessage', body: { chat_id: '-100200', text } },
    ]);
  });

  test.each(['@shop_1', '%40shop_1'])(
    'Telegram gets the channel of an address that ends in @%s',
    async (chat) => {
      const { upstream, posts } = await startReceiver();
      const address = `telegram://123:ABC-d@${chat}?api=${upstream.url.slice(0, -1)}`;
      await sendTo(address);
      expect(posts).toMatchObject([
        { path: '/bot123:ABC-d/sendMessage', body: { chat_id: '@shop_1' } },
      ]);
      expect(alertDestinations(address)[0]?.name).toBe('telegram chat @shop_1');
    },
  );

  test('a webhook gets the format of Slack, of Discord, or title and lines', async () => {
    const { upstream, posts } = await startReceiver();
    const text = 'vesfx shop: one problem\nPROBLEM: the disk is full.';
    for (const shape of ['#slack', '#discord', '']) await sendTo(`${upstream.url}hook${shape}`);
    expect(posts.map(({ body }) => body)).toEqual([
      { text },
      { content: text },
      { ...MESSAGE, text },
    ]);
  });

  test('a mail is delivered, with a password and without', async () => {
    const { mails, port } = await startMailServer();
    const query = 'from=vesfx@shop.example&to=me@shop.example';
    await sendTo(`smtp://bot:p%20w@127.0.0.1:${port}?${query}`);
    await sendTo(`smtp://127.0.0.1:${port}?${query}`);
    expect(mails.map(({ auth, to }) => ({ auth, to }))).toEqual([
      { auth: 'bot', to: ['me@shop.example'] },
      { auth: undefined, to: ['me@shop.example'] },
    ]);
    expect(mails[0]?.text).toContain('Subject: vesfx shop: one problem');
    expect(mails[0]?.text).toContain('PROBLEM: the disk is full.');
  });

  test('a message that is not accepted is an error without secrets', async () => {
    const { upstream } = await startReceiver();
    upstream.answers((_request, response) => response.writeHead(403).end());
    const sent = sendTo(`telegram://123:SECRET@1?api=${upstream.url}`);
    await expect(sent).rejects.toThrow('it answered with status 403');
    const [destination] = alertDestinations('smtp://bot:SECRET@host?from=a@b&to=c@d');
    expect(destination?.name).toBe('mail to c@d');
  });

  test('a mail server that goes on answering without an end is left after 10 s', async () => {
    const server = createServer((socket) => {
      socket.write('220 hello\r\n');
      socket.on('data', () => socket.write('250-and\r\n'));
      socket.on('error', () => undefined).on('close', () => server.emit('left'));
    }).listen(0, '127.0.0.1');
    onTestFinished(() => new Promise<void>((resolve) => server.close(() => resolve())));
    await once(server, 'listening');
    const deadline = new AbortController();
    const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(deadline.signal);
    onTestFinished(() => timeout.mockRestore());
    server.on('connection', (socket) => socket.once('data', () => deadline.abort()));
    const left = once(server, 'left');
    const sent = sendTo(`smtp://127.0.0.1:${portOf(server)}?from=a@b&to=c@d`);
    await expect(sent).rejects.toThrow('no answer within 10 s');
    expect(timeout).toHaveBeenCalledWith(10_000);
    await left;
  });

  test.each([
    ['https://bot:SECRET@host/hook', 'destination 1 must not have a user name or password'],
    ['telegram://1:A@1?api=https://bot:SECRET@host', 'destination 1 must not have a user name'],
    ['telegram://1:SECRET@1?api=host', 'destination 1: api must be an http: or https: address'],
    ['telegram://1:SECRET%zz@1', 'destination 1 has a % that encodes no character'],
    ['telegram://1:SECRET@%zz', 'destination 1 has a % that encodes no character'],
    ['smtp://bot:SECRET%zz@host?from=a@b&to=c@d', 'destination 1 has a % that encodes no'],
  ])('%s is refused, and the reason shows no secret', (address, message) => {
    expect(() => alertDestinations(address)).toThrow(message);
    expect(() => alertDestinations(address)).not.toThrow('SECRET');
  });

  test.each([
    ['ftp://x', 'destination 1 must begin with'],
    ['https://a.example, nonsense', 'destination 2 must begin with'],
    ['telegram://chat', 'destination 1 must be telegram://TOKEN@CHAT'],
    ['smtp://host?from=a@b', 'destination 1 must be smtp://'],
    [Array(11).fill('https://a.example').join(' '), 'at most 10'],
  ])('%s is refused with a reason', (address, message) => {
    expect(() => alertDestinations(address)).toThrow(message);
  });

  test('ten destinations are accepted', () => {
    expect(alertDestinations(Array(10).fill('https://a.example').join(' '))).toHaveLength(10);
  });
});

const problem = (id: string, text: string, dueAt = 0): Problem => {
  const kind = PROBLEM_KINDS.find((one) => id.startsWith(one)) ?? 'held';
  return { id, kind, text, dueAt };
};
const DISK_FULL = [problem('disk', 'Only 0 MB of disk space is free.')];
const AWAY = (dueAt: number) => [problem('database:unavailable', 'It does not answer.', dueAt)];

describe.each(ENGINES)('alerts of several processes on $name', ({ create }) => {
  /** Processes that share a store and a destination, and a clock that stands still. */
  async function processes(count: number, { onOneMachine = false } = {}) {
    const site = create();
    onTestFinished(() => site.close());
    const state = { now: 1_000_000, problems: [] as readonly Problem[], accepts: true };
    const sent: AlertMessage[] = [];
    const destination: AlertDestination = {
      name: 'test',
      async send(message) {
        if (!state.accepts) throw new Error('not now');
        sent.push(message);
      },
    };
    const log = { debug: vi.fn(), info: vi.fn(), warn: vi.fn(), error: vi.fn() };
    const stores: OpenedStore[] = [];
    let alerters: Alerter[] = [];
    const tellPeers = (id: string) => {
      if (!onOneMachine) return;
      for (const alerter of alerters) alerter.toldByPeer(id);
    };
    const restart = async () => {
      const started = Array.from({ length: count }, async () => {
        const store = await site.open();
        stores.push(store);
        return new Alerter({
          store: alertStore(store.engine),
          problems: async () => state.problems,
          destinations: [destination],
          clock: { now: () => state.now },
          log,
          service: 'shop',
          tellPeers,
        });
      });
      alerters = await Promise.all(started);
    };
    await restart();
    const close = async () => {
      for (const store of stores) await store.close();
    };
    const look = async () => {
      for (const alerter of alerters) await alerter.check();
    };
    return { state, sent, look, log, restart, close };
  }

  test('report a problem once, and its end once', async () => {
    const { state, sent, look } = await processes(2);
    state.problems = DISK_FULL;
    for (let minute = 0; minute < 3; minute += 1) {
      await look();
      state.now += ALERT_PAUSE_MS;
    }
    state.problems = [];
    await look();
    await look();
    expect(sent).toEqual([
      { title: 'vesfx shop: one problem', lines: ['PROBLEM: Only 0 MB of disk space is free.'] },
      {
        title: 'vesfx shop: recovered',
        lines: ['RECOVERED: There is enough free disk space again.'],
      },
    ]);
  });

  test('send at most one message a minute', async () => {
    const { state, sent, look } = await processes(2);
    state.problems = DISK_FULL;
    await look();
    state.problems = [];
    state.now += ALERT_PAUSE_MS - 1;
    await look();
    expect(sent).toHaveLength(1);
    state.now += 1;
    await look();
    expect(sent).toHaveLength(2);
  });

  test('retry a message that no destination accepted', async () => {
    const { state, sent, look, log } = await processes(1);
    state.problems = DISK_FULL;
    state.accepts = false;
    await look();
    expect(log.error).toHaveBeenCalledWith(
      expect.objectContaining({ destination: 'test' }),
      'an alert was not sent',
    );
    state.accepts = true;
    state.now += ALERT_PAUSE_MS;
    await look();
    expect(sent).toHaveLength(1);
  });

  test('contract §4 tell of a problem when it is due, also after a restart', async () => {
    const { state, sent, look, restart } = await processes(1);
    state.problems = [problem('collector', 'Nobody reads.', state.now + 60_000)];
    await look();
    state.now += 59_999;
    await restart();
    await look();
    expect(sent).toEqual([]);
    state.now += 1;
    await look();
    expect(sent).toHaveLength(1);
  });

  test('contract §4 tell of an outage without the store, once for each process', async () => {
    const { state, sent, look, close } = await processes(2);
    state.problems = [...AWAY(state.now + 1), ...DISK_FULL];
    await close();
    await look();
    expect(sent).toEqual([]);
    state.now += 1;
    await look();
    await look();
    const begun = { title: 'vesfx shop: one problem', lines: ['PROBLEM: It does not answer.'] };
    expect(sent).toEqual([begun, begun]);
  });

  test('workers of one machine tell of an outage once, and of its end', async () => {
    const { state, sent, look } = await processes(3, { onOneMachine: true });
    state.problems = AWAY(0);
    await look();
    await look();
    expect(sent).toHaveLength(1);
    state.problems = [];
    await look();
    await look();
    expect(sent.map(({ lines }) => lines)).toEqual([
      ['PROBLEM: It does not answer.'],
      ['RECOVERED: The database answers again.'],
    ]);
    // The next outage is told again.
    state.problems = AWAY(0);
    await look();
    expect(sent).toHaveLength(3);
  });

  test('an outage that no destination accepted is told again', async () => {
    const { state, sent, look } = await processes(1);
    state.problems = AWAY(0);
    state.accepts = false;
    await look();
    state.accepts = true;
    await look();
    expect(sent).toHaveLength(1);
  });

  test('list at most MAX_ALERT_LINES problems in a message', async () => {
    const { state, sent, look } = await processes(1);
    const subjects = Array.from({ length: MAX_ALERT_LINES + 1 }, (_, index) => `market${index}`);
    state.problems = subjects.map((subject) => problem(`held:${subject}`, 'A record is held.'));
    await look();
    expect(sent[0]?.lines).toHaveLength(MAX_ALERT_LINES + 1);
    expect(sent[0]?.lines.at(-1)).toBe('… and 1 more.');
  });
});

describe('vesfx alert test', () => {
  test('sends a message to each destination and reports which accepted it', async () => {
    const { upstream, posts } = await startReceiver();
    const nobody = `127.0.0.1:${await freePort()}`;
    const given = ['alert', 'test', '--alert', `${upstream.url}a`, `http://${nobody}/b`];
    const { code, out } = await runHere(given);
    expect(code).toBe(1);
    expect(posts).toHaveLength(1);
    expect(out).toBe(
      `sent to webhook at ${new URL(upstream.url).host}\n` +
        `NOT sent to webhook at ${nobody}: the connection was refused (ECONNREFUSED)\n`,
    );
  });

  test.each([
    ['without a destination', [], 'There is no destination'],
    ['with one that cannot be used', ['--alert', 'ftp://x'], 'VESFX_ALERTS: destination 1 must'],
  ])('ends with 2 %s', async (_name, more, message) => {
    const { code, err } = await runHere(['alert', 'test', ...more]);
    expect({ code, err }).toEqual({ code: 2, err: expect.stringContaining(message) });
  });

  test.each(['serve', 'collect'])(
    'so does vesfx %s, which would tell nobody of its problems',
    async (name) => {
      const args = [name, '--data', await temporaryDir(), '--alert', 'x'];
      const { code, err } = await runHere(args);
      expect(code).toBe(2);
      expect(err).toMatch(/^error: VESFX_ALERTS: destination 1 must [^\n]+\n$/);
    },
  );

  test('the flag goes before the variable', async () => {
    const { upstream, posts } = await startReceiver();
    const env = { ...process.env, VESFX_ALERTS: `${upstream.url}variable` };
    await runHere(['alert', 'test'], env);
    await runHere(['alert', 'test', '--alert', `${upstream.url}flag`], env);
    expect(posts.map(({ path }) => path)).toEqual(['/variable', '/flag']);
  });

  test('its variable may stand in VESFX_ENV_FILE', async () => {
    const { upstream, posts } = await startReceiver();
    const file = join(await temporaryDir(), 'vesfx.env');
    await writeFile(file, `VESFX_ALERTS=${upstream.url}file\n`);
    await runHere(['alert', 'test'], { ...process.env, VESFX_ENV_FILE: file });
    expect(posts.map(({ path }) => path)).toEqual(['/file']);
  });
});
