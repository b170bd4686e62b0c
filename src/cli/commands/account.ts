import type { Command } from 'commander';
import type { Account } from '../../app/ports/accounts.ts';
import type { Toolbox } from '../../compose.ts';
import { isoInstant } from '../../domain/time.ts';
import { type CommonFlags, flagsOf, print, table, visible } from '../output.ts';
import { withToolbox } from '../toolbox.ts';

function view(account: Account) {
  return {
    id: account.id,
    name: account.name,
    plan: account.plan,
    status: account.status,
    created_at: isoInstant(account.createdAt),
  };
}

function describe({ id, name, plan, status, createdAt }: Account): string {
  return [
    `id       ${id}`,
    `name     ${visible(name)}`,
    `plan     ${plan}`,
    `status   ${status}`,
    `created  ${isoInstant(createdAt)}`,
  ].join('\n');
}

function printAccount(flags: CommonFlags, account: Account): void {
  print(flags, view(account), describe(account));
}

/** `vesfx account …`: the accounts and their plans. */
export function addAccountCommands(program: Command): void {
  const group = program.command('account').description('create and manage accounts');

  group
    .command('create')
    .description('create an account; give it a key with "vesfx key create"')
    .requiredOption('--name <name>', 'what the account is called')
    .requiredOption('--plan <plan>', 'name of its plan, in any letter case')
    .action(async (_options, command: Command) => {
      const flags = flagsOf<{ name: string; plan: string }>(command);
      const create = async ({ accounts }: Toolbox) => {
        printAccount(flags, await accounts.create(flags.name, flags.plan));
      };
      await withToolbox(flags, create, { withoutDatabase: 'create' });
    });

  group
    .command('list')
    .description('list all accounts')
    .action(async (_options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        const all = await accounts.list();
        const rows = all.map(({ id, name, plan, status, createdAt }) => [
          id,
          plan,
          status,
          isoInstant(createdAt),
          name,
        ]);
        const text = table(['ID', 'PLAN', 'STATUS', 'CREATED', 'NAME'], rows);
        print(flags, all.map(view), all.length === 0 ? 'There are no accounts yet.' : text);
      });
    });

  group
    .command('show')
    .description('show one account')
    .argument('<id>', 'id of the account')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        printAccount(flags, await accounts.find(id));
      });
    });

  group
    .command('set-plan')
    .description('move an account to another plan')
    .argument('<id>', 'id of the account')
    .argument('<plan>', 'name of the plan, in any letter case')
    .action(async (id: string, plan: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        printAccount(flags, await accounts.setPlan(id, plan));
      });
    });

  addStatusCommand(group, 'suspend', 'suspended', 'refuse the keys of an account for now');
  addStatusCommand(group, 'resume', 'active', 'accept the keys of a suspended account again');

  group
    .command('delete')
    .description('delete an account with its keys and markup rules')
    .argument('<id>', 'id of the account')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        await accounts.delete(id);
        print(flags, { id, deleted: true }, `Deleted ${id}.`);
      });
    });
}

function addStatusCommand(
  group: Command,
  name: string,
  status: Account['status'],
  description: string,
): void {
  group
    .command(name)
    .description(description)
    .argument('<id>', 'id of the account')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts }) => {
        printAccount(flags, await accounts.setStatus(id, status));
      });
    });
}
