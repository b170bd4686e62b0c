import { databaseCommand, group } from '../../core/cli/command.ts';
import { parseDuration } from '../../core/cli/commands/moment.ts';
import { labelledText, textTable, UsageError } from '../../core/cli/output.ts';
import type { Toolbox } from '../../core/compose.ts';
import { type Config, readConfig } from '../../core/config.ts';
import { SECOND_MS } from '../../core/domain/time.ts';
import type { deliveryView, webhookView } from './api/views.ts';
import { namingFlags, percentOf, sinceOfFlag, words } from './flags.ts';
import {
  DEFAULT_SECRET_GRACE_SEC,
  isOverPlan,
  MAX_DELIVERIES,
  MAX_SECRET_GRACE_SEC,
  type WebhookWish,
} from './webhook-types.ts';

/** What an account does with its webhooks, for the operator (contract §24). */

const LABEL_WIDTH = 20;
const WILL_BE_SENT = 'will be sent by the process that reads the sources.';

const ACCOUNT = { '<account>': 'id of the account' } as const;
const WEBHOOK = { ...ACCOUNT, '<webhook>': 'id of the webhook' } as const;
const MESSAGE = { ...WEBHOOK, '<message>': 'id of the message' } as const;

/** The modules and the store, opened once the database is. @throws UsageError without the secret. */
async function opened(toolbox: Toolbox, config: Config, account: string) {
  const [{ openWebhookStore }, views, refusals] = await Promise.all([
    import('./webhook-store.ts'),
    import('./api/views.ts'),
    import('./api/refusals.ts'),
  ]);
  const store = openWebhookStore(config, toolbox.store, () => toolbox);
  if (store === undefined) {
    throw new UsageError('There are no webhooks without VESFX_SECRET: see "vesfx serve --help".');
  }
  const plan = toolbox.accounts.planOf(await toolbox.accounts.find(account));
  const { requireIncluded } = await import('./api/wish.ts');
  /** @throws ApiError for a webhook beyond the plan. */
  const requireSending = async (id: string) =>
    requireIncluded(await store.list(account), id, { plans: toolbox.plans, plan });
  /** All of the account, oldest first. */
  const shown = async (): Promise<readonly Row[]> =>
    (await store.list(account)).map((webhook, older) => ({
      ...views.webhookView(webhook),
      ...(isOverPlan(plan, older) && { beyond_plan: true }),
    }));
  return { store, plan, requireSending, shown, ...views, ...refusals };
}

/** `beyond_plan`: only of one that the plan of the account does not include. */
type Row = ReturnType<typeof webhookView> & { readonly beyond_plan?: true };

function rowOf({ id, status, disabled_reason, beyond_plan, events, markets, url }: Row): string[] {
  const why = beyond_plan ? 'beyond the plan: gets nothing' : disabled_reason;
  const state = why === undefined ? status : `${status} (${why})`;
  return [id, state, events.join(','), markets.length === 0 ? 'all' : markets.join(','), url];
}

const COLUMNS = ['ID', 'STATUS', 'EVENTS', 'MARKETS', 'URL'];

function deliveryRow(delivery: ReturnType<typeof deliveryView>): string[] {
  const { message_id, type, status, created_at, attempts_made, last_status, last_error } = delivery;
  const last = last_error ?? (last_status === undefined ? '' : `status ${last_status}`);
  return [message_id, type, status, created_at, `${attempts_made}`, last];
}

const DELIVERY_COLUMNS = ['MESSAGE', 'EVENT', 'STATUS', 'CREATED', 'ATTEMPTS', 'LAST'];

/** Pauses or resumes: all else stays. */
const switchCommand = (name: 'pause' | 'resume', about: string, active: boolean) =>
  databaseCommand({
    ...{ name, about, arguments: WEBHOOK },
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, webhook: id, config }) {
      const { store, found, webhookView, requireSending } = await opened(toolbox, config, account);
      await requireSending(id);
      const { url, events, markets, thresholdPercent, description } = found(
        (await store.find(account, id)) ?? 'missing',
      );
      const wish: WebhookWish = { url, events, markets, thresholdPercent, description, active };
      const saved = await store.replace(account, id, wish, Date.now());
      if (saved === 'exists') throw new Error('an endpoint keeps its own address');
      const json = webhookView(found(saved));
      return { json, text: textTable(COLUMNS, [rowOf(json)]) };
    },
  });

export const webhookCommands = group('webhook', 'manage the webhooks of an account', [
  databaseCommand({
    name: 'create',
    about: 'create a webhook; its secret is shown once',
    arguments: { ...ACCOUNT, '<url>': 'where the messages go: https://…' },
    flags: {
      '--event <event...>': {
        about: 'events, such as official.published, rate.changed',
        isRequired: true,
      },
      '--market <market...>': 'markets of rate.changed and rate.in_doubt; by default all',
      '--threshold <percent>': 'change that rate.changed tells of, 0.01 to 50; by default 1',
      '--description <text>': 'a note',
      '--paused': 'send nothing yet',
    },
    read(input) {
      const { account, url, event, market, threshold, description, paused } = input;
      const body = {
        url,
        events: words(event) ?? [],
        ...(market !== undefined && { markets: words(market) }),
        ...(threshold !== undefined && { threshold_percent: percentOf(threshold) }),
        ...(description !== undefined && { description }),
        active: !paused,
      };
      return { account, body, config: readConfig(input) };
    },
    async work(toolbox, { account, body, config }) {
      const { store, plan, sameUrl, webhookView } = await opened(toolbox, config, account);
      const { readWishBody, readWish, tooManyWebhooks } = await import('./api/wish.ts');
      const { allowsLoopback } = await import('./settings.ts');
      const rules = { ...toolbox, plan, allowsLoopback: allowsLoopback(config) };
      const wish = namingFlags(() => readWish(readWishBody(body), rules));
      const made = await store.create(account, wish, { max: plan.webhooksMax, now: Date.now() });
      if (made === 'exists') throw sameUrl();
      if (made === 'full') throw tooManyWebhooks(toolbox.plans, plan);
      const { webhook, secret } = made;
      const text = `id      ${webhook.id}\nsecret  ${secret}\nThe secret is shown only now: keep it safe.`;
      return { json: { ...webhookView(webhook), secret }, text };
    },
  }),
  databaseCommand({
    name: 'list',
    about: 'list the webhooks of an account',
    arguments: ACCOUNT,
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, config }) {
      const { shown } = await opened(toolbox, config, account);
      const webhooks = await shown();
      const text = textTable(COLUMNS, webhooks.map(rowOf), 'The account has no webhooks.');
      return { json: { webhooks }, text };
    },
  }),
  databaseCommand({
    name: 'show',
    about: 'show a webhook',
    arguments: WEBHOOK,
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, webhook: id, config }) {
      const { found, shown } = await opened(toolbox, config, account);
      const json = found((await shown()).find((one) => one.id === id) ?? 'missing');
      const rows = Object.entries(json).map(([name, value]) => [name, `${value ?? ''}`] as const);
      return { json, text: labelledText(rows, LABEL_WIDTH) };
    },
  }),
  switchCommand('pause', 'send nothing to a webhook until it is resumed', false),
  switchCommand('resume', 'send to a paused or disabled webhook again', true),
  databaseCommand({
    name: 'rotate',
    about: 'make a new secret; it is shown once',
    arguments: WEBHOOK,
    flags: {
      '--grace <duration>': {
        about: 'how long the former secret still signs too: 90s, 30m, 24h, 7d',
        byDefault: `${DEFAULT_SECRET_GRACE_SEC}s`,
      },
    },
    read(input) {
      const graceMs = parseDuration(input.grace);
      if (graceMs > MAX_SECRET_GRACE_SEC * SECOND_MS)
        throw new UsageError('--grace is at most 7d.');
      return { ...input, graceMs, config: readConfig(input) };
    },
    async work(toolbox, { account, webhook: id, graceMs, config }) {
      const opening = await opened(toolbox, config, account);
      const { store, found, rotationView, requireSending } = opening;
      await requireSending(id);
      const rotated = found(await store.rotate(account, id, { graceMs, now: Date.now() }));
      const text = `secret  ${rotated.secret}\nThe secret is shown only now: keep it safe.`;
      return { json: rotationView(rotated), text };
    },
  }),
  databaseCommand({
    name: 'test',
    about: 'send webhook.test',
    arguments: WEBHOOK,
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, webhook: id, config }) {
      const { store, found, requireSending } = await opened(toolbox, config, account);
      await requireSending(id);
      const { messageId } = found(await store.test(account, id, Date.now()));
      return { json: { message_id: messageId }, text: `${messageId} ${WILL_BE_SENT}` };
    },
  }),
  databaseCommand({
    name: 'deliveries',
    about: 'list the messages of a webhook, newest first',
    arguments: WEBHOOK,
    flags: {
      '--status <status>': 'only pending, delivered, failed or superseded',
      '--before <message>': 'only those older than this message',
      '--limit <number>': { about: 'how many, at most 100', byDefault: '20' },
    },
    read(input) {
      const limit = /^\d{1,3}$/.test(input.limit) ? Number(input.limit) : 0;
      if (limit < 1 || limit > MAX_DELIVERIES)
        throw new UsageError(`--limit is a number from 1 to ${MAX_DELIVERIES}.`);
      return { ...input, limit, config: readConfig(input) };
    },
    async work(toolbox, { account, webhook: id, status: given, before, limit, config }) {
      const { store, found, deliveryView, isDeliveryStatus } = await opened(
        toolbox,
        config,
        account,
      );
      if (given !== undefined && !isDeliveryStatus(given))
        throw new UsageError('--status is pending, delivered, failed or superseded.');
      const list = await store.deliveries(account, id, { status: given, before, limit });
      const deliveries = found(list).map(deliveryView);
      const text = textTable(DELIVERY_COLUMNS, deliveries.map(deliveryRow), 'No messages.');
      return { json: { deliveries }, text };
    },
  }),
  databaseCommand({
    name: 'redeliver',
    about: 'send a message again, with its id',
    arguments: MESSAGE,
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, webhook: id, message: messageId, config }) {
      const opening = await opened(toolbox, config, account);
      const { store, found, noSuchMessage, requireSending } = opening;
      await requireSending(id);
      found((await store.find(account, id)) ?? 'missing');
      const outcome = await store.redeliver(account, id, { messageId, now: Date.now() });
      if (outcome === 'missing') throw noSuchMessage();
      found(outcome);
      return { json: { message_id: messageId }, text: `${messageId} ${WILL_BE_SENT}` };
    },
  }),
  databaseCommand({
    name: 'recover',
    about: 'send again what failed, and what happened while it was not active',
    arguments: WEBHOOK,
    flags: {
      '--since <time>': { about: 'from when, such as 2026-11-20T21:10:00Z', isRequired: true },
    },
    read: (input) => ({
      ...input,
      since: sinceOfFlag(input.since, Date.now()),
      config: readConfig(input),
    }),
    async work(toolbox, { account, webhook: id, since, config }) {
      const { store, found, requireSending } = await opened(toolbox, config, account);
      await requireSending(id);
      const json = found(await store.recover(account, id, { since, now: Date.now() }));
      return { json, text: `${json.count} messages will be sent again.` };
    },
  }),
  databaseCommand({
    name: 'delete',
    about: 'delete a webhook and its messages',
    arguments: WEBHOOK,
    read: (input) => ({ ...input, config: readConfig(input) }),
    async work(toolbox, { account, webhook: id, config }) {
      const { store, found } = await opened(toolbox, config, account);
      if (!(await store.delete(account, id))) found('missing' as const);
      return { json: { id, removed: true }, text: `Removed ${id}.` };
    },
  }),
]);
