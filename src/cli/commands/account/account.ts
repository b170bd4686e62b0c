import type { Account } from '../../../app/ports/accounts.ts';
import type { Toolbox } from '../../../compose.ts';
import { isoInstant } from '../../../domain/time.ts';
import { type AddCommand, databaseCommand, group, type Result } from '../../command.ts';
import { labelledText, textTable, visible } from '../../output.ts';

function view({ id, name, plan, status, createdAt }: Account) {
  return { id, name, plan, status, created_at: isoInstant(createdAt) };
}

function resultOf(account: Account): Result {
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

export const accountCommands = group('account', 'create and manage accounts', [
  databaseCommand({
    name: 'create',
    about: 'create an account; give it a key with "vesfx key create"',
    flags: {
      '--name <name>': { about: 'name of the account', isRequired: true },
      '--plan <plan>': { about: 'name of its plan, in any letter case', isRequired: true },
    },
    withoutDatabase: 'create',
    work: async ({ accounts }, { name, plan }) => resultOf(await accounts.create(name, plan)),
  }),
  databaseCommand({
    name: 'list',
    about: 'list all accounts',
    ignoresCatalogue: true,
    work: async ({ accounts }) => {
      const views = (await accounts.list()).map(view);
      const rows = views.map((account) => LISTED.map((field) => account[field]));
      const columns = ['ID', 'PLAN', 'STATUS', 'CREATED', 'NAME'];
      return { json: views, text: textTable(columns, rows, 'There are no accounts yet.') };
    },
  }),
  accountCommand('show', 'show one account', ({ accounts }, id) => accounts.find(id)),
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
