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

export function addAccountCommands(program: Command): void {
  const group = program.command('account').description('create and manage accounts');

  group
    .command('create')
    .description('create an account; give it a key with "vesfx key create"')
    .requiredOption('--name <name>', 'name of the account')
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

  addOne(group, 'show', 'show one account', ({ accounts }, id) => accounts.find(id));

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

  addOne(
    group,
    'suspend',
    'refuse the keys of an account until it is resumed',
    ({ accounts }, id) => accounts.setStatus(id, 'suspended'),
  );
  addOne(group, 'resume', 'accept the keys of a suspended account again', ({ accounts }, id) =>
    accounts.setStatus(id, 'active'),
  );

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

/** A command that prints the account it works on. */
function addOne(
  group: Command,
  name: string,
  description: string,
  work: (toolbox: Toolbox, id: string) => Promise<Account>,
): void {
  group
    .command(name)
    .description(description)
    .argument('<id>', 'id of the account')
    .action(async (id: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async (toolbox) => printAccount(flags, await work(toolbox, id)));
    });
}
