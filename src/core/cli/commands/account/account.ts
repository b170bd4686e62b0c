import type { Account } from '../../../app/ports/accounts.ts';
import type { Toolbox } from '../../../compose.ts';
import { type AddCommand, databaseCommand, group } from '../../command.ts';
import { labelledText, textTable, UsageError, visible } from '../../output.ts';
import type { AccountsFile } from './create-many.ts';
import {
  NO_ACCOUNTS,
  readablePlans,
  usageList,
  usageText,
  useView,
  view,
  withUses,
} from './usage.ts';

function resultOf(account: Account) {
  const json = view(account);
  const { created_at: created, ...rest } = { ...json, name: visible(json.name) };
  return { json, text: labelledText(Object.entries({ ...rest, created }), 9) };
}

const ACCOUNT = { '<id>': 'id of the account' } as const;

function accountCommand(
  name: string,
  about: string,
  work: (toolbox: Toolbox, id: string) => Promise<Account>,
): AddCommand {
  return databaseCommand({
    name,
    about,
    arguments: ACCOUNT,
    ignoresCatalogue: true,
    work: async (toolbox, { id }) => resultOf(await work(toolbox, id)),
  });
}

const LISTED = ['id', 'plan', 'status', 'created_at', 'name'] as const;

const FROM_HELP = `
The first line of the file names its columns: name,plan,label. The label is that of the key, and may be
empty or left out. All accounts are made, each with a full key, or none. The keys are written once, as
CSV, into FILE.keys.csv beside the input or the file of --keys. It must not exist yet, and only its owner
can read it. They are printed nowhere. A name that an account or another line has already is refused, in
any letter case.`;

/** An account by itself, or a file of them. */
interface Wanted {
  readonly one?: { readonly name: string; readonly plan: string };
  readonly many?: AccountsFile;
}

async function wantedOf(
  flags: Readonly<Partial<Record<'name' | 'plan' | 'from' | 'keys', string>>>,
): Promise<Wanted> {
  const { name, plan, from, keys } = flags;
  if (from === undefined) {
    if (keys !== undefined) throw new UsageError('--keys goes with --from.');
    if (name !== undefined && plan !== undefined) return { one: { name, plan } };
    throw new UsageError('Pass --name and --plan, or a file with --from.');
  }
  if (name !== undefined || plan !== undefined) {
    throw new UsageError('Pass --name and --plan, or --from, not both.');
  }
  const { readAccountsFile } = await import('./create-many.ts');
  return { many: readAccountsFile(from, keys) };
}

export const accountCommands = group('account', 'create and manage accounts', [
  databaseCommand({
    name: 'create',
    about:
      'create an account; give it a key with "vesfx key create"; or the accounts of a file, with keys',
    flags: {
      '--name <name>': 'name of the account',
      '--plan <plan>': 'name of its plan, in any letter case',
      '--from <file>': 'CSV file of accounts: name,plan,label',
      '--keys <file>': 'new file for their keys; FILE.keys.csv beside the input without it',
    },
    help: FROM_HELP,
    withoutDatabase: 'create',
    read: wantedOf,
    async work(toolbox, { one, many }) {
      if (one !== undefined) return resultOf(await toolbox.accounts.create(one.name, one.plan));
      const { createMany } = await import('./create-many.ts');
      return many && createMany(toolbox, many);
    },
  }),
  databaseCommand({
    name: 'list',
    about: 'list all accounts',
    ignoresCatalogue: true,
    flags: { '--usage': 'with units of the month and of the plan, last use and live keys' },
    read: async (input) => ({ usage: input.usage, plans: await readablePlans(input) }),
    async work(toolbox, { usage, plans }) {
      const accounts = await toolbox.accounts.list();
      if (usage) return usageList(await withUses(toolbox, accounts, plans));
      const views = accounts.map(view);
      const rows = views.map((account) => LISTED.map((field) => account[field]));
      const columns = ['ID', 'PLAN', 'STATUS', 'CREATED', 'NAME'];
      return { json: views, text: textTable(columns, rows, NO_ACCOUNTS) };
    },
  }),
  databaseCommand({
    name: 'show',
    about: 'show one account: units of the month and of the plan, last use, live keys',
    arguments: ACCOUNT,
    ignoresCatalogue: true,
    read: async (input) => ({ id: input.id, plans: await readablePlans(input) }),
    async work(toolbox, { id, plans }) {
      const [used] = await withUses(toolbox, [await toolbox.accounts.find(id)], plans);
      if (used === undefined) throw new Error(`The account ${id} was deleted meanwhile.`);
      const { json, text } = resultOf(used.account);
      return { json: { ...json, ...useView(used) }, text: `${text}\n${usageText(used)}` };
    },
  }),
  databaseCommand({
    name: 'set-plan',
    about: 'move an account to another plan',
    arguments: { ...ACCOUNT, '<plan>': 'name of the plan, in any letter case' },
    work: async ({ accounts }, { id, plan }) => resultOf(await accounts.setPlan(id, plan)),
  }),
  accountCommand(
    'suspend',
    'refuse the keys of an account until it is resumed',
    ({ accounts }, id) => accounts.setStatus(id, 'suspended'),
  ),
  accountCommand('resume', 'accept the keys of a suspended account again', ({ accounts }, id) =>
    accounts.setStatus(id, 'active'),
  ),
  databaseCommand({
    name: 'delete',
    about: 'delete an account with its keys and markup rules',
    arguments: ACCOUNT,
    ignoresCatalogue: true,
    work: async ({ accounts }, { id }) => {
      await accounts.delete(id);
      return { json: { id, deleted: true }, text: `Deleted ${id}.` };
    },
  }),
]);
