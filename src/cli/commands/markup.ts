import type { Command } from 'commander';
import { ApiError } from '../../domain/errors.ts';
import type { Markets } from '../../domain/markets.ts';
import type { MarkupKind, MarkupRule } from '../../domain/markup.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { flagsOf, print, table, UsageError, visible } from '../output.ts';
import { withToolbox } from '../toolbox.ts';

interface SetFlags {
  readonly percent?: string;
  readonly fixed?: string;
  readonly markets?: string;
}

const DECIMAL_NUMBER = /^-?\d+(?:\.\d+)?$/;

/** The rule of the flags, before validation. */
function draftOf(tag: string, { percent, fixed, markets }: SetFlags) {
  if ((percent === undefined) === (fixed === undefined)) {
    throw new UsageError('Pass either --percent or --fixed.');
  }
  const kind: MarkupKind = percent === undefined ? 'fixed' : 'percent';
  const given = percent ?? fixed ?? '';
  if (!DECIMAL_NUMBER.test(given)) {
    throw new UsageError(`--${kind} takes a number such as 3.5 or -10, not "${given}".`);
  }
  const names = markets
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { tag, kind, value: Number(given), ...(names !== undefined && { markets: names }) };
}

async function readRule(markets: Markets, draft: ReturnType<typeof draftOf>): Promise<MarkupRule> {
  const { markupRuleSchema } = await import('../../app/access/markups.ts');
  const { schemaSentence } = await import('../../app/schema-sentences.ts');
  const result = markupRuleSchema(markets).safeParse(draft, { error: schemaSentence });
  if (result.success) return result.data;
  const [issue] = result.error.issues;
  const [field, position] = issue?.path ?? [];
  // Name a wrong market by its given name instead of its list index.
  const name = typeof position === 'number' ? draft.markets?.[position] : undefined;
  const subject = name === undefined ? `The ${String(field)}` : `The market "${visible(name)}"`;
  const hint = name === undefined ? '' : didYouMean(markets, name);
  throw new ApiError('invalid_format', {
    field: String(field),
    message: `${subject} ${issue?.message ?? 'is not accepted'}.${hint}`,
  });
}

function view({ tag, kind, value, markets, active }: MarkupRule) {
  return { tag, kind, value, markets, active };
}

function rowOf({ tag, kind, value, markets, active }: MarkupRule): string[] {
  const size = kind === 'percent' ? `${value} %` : `${value} VES`;
  return [tag, size, markets.length === 0 ? 'all' : markets.join(','), active ? 'yes' : 'no'];
}

const COLUMNS = ['TAG', 'MARKUP', 'MARKETS', 'ACTIVE'];

export function addMarkupCommands(program: Command): void {
  const group = program.command('markup').description('manage the markup rules of an account');

  group
    .command('set')
    .description('create a rule, or replace the one with that tag')
    .argument('<account>', 'id of the account')
    .argument('<tag>', 'name of the rule: 1 to 32 of a-z, 0-9, _ and -')
    .option('--percent <number>', 'percent of the rate, -99 to 1000')
    .option('--fixed <number>', 'VES added to the rate; may be negative')
    .option('--markets <ids>', 'markets it covers, separated by commas; by default all')
    .action(async (account: string, tag: string, _options, command: Command) => {
      const flags = flagsOf<SetFlags>(command);
      const draft = draftOf(tag, flags);
      await withToolbox(flags, async ({ accounts, store, plans, markets }) => {
        const { beyondPlan, requireFeature } = await import('../../app/access/access.ts');
        const plan = accounts.planOf(await accounts.find(account));
        requireFeature(plans, plan, 'markup');
        const rule = await readRule(markets, draft);
        const result = await store.saveMarkup(account, rule, 'either', plan.markupsMax);
        if (result !== 'saved') {
          const most = plan.markupsMax === 1 ? '1 markup rule' : `${plan.markupsMax} markup rules`;
          throw beyondPlan(plans, plan, {
            feature: 'markup',
            limitOf: ({ markupsMax }) => markupsMax,
            message: `${plan.name} has at most ${most}: remove one first.`,
          });
        }
        print(flags, view(rule), table(COLUMNS, [rowOf(rule)]));
      });
    });

  group
    .command('list')
    .description('list the rules of an account')
    .argument('<account>', 'id of the account')
    .action(async (account: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts, store }) => {
        await accounts.find(account);
        const rules = await store.listMarkups(account);
        const text = table(COLUMNS, rules.map(rowOf));
        print(flags, rules.map(view), rules.length === 0 ? 'The account has no rules.' : text);
      });
    });

  group
    .command('remove')
    .description('remove a rule')
    .argument('<account>', 'id of the account')
    .argument('<tag>', 'name of the rule')
    .action(async (account: string, tag: string, _options, command: Command) => {
      const flags = flagsOf(command);
      await withToolbox(flags, async ({ accounts, store }) => {
        await accounts.find(account);
        if (!(await store.deleteMarkup(account, tag))) {
          throw new ApiError('markup_not_found', {
            details: { reason: 'unknown_id' },
            message: `The account ${account} has no rule ${tag}.`,
          });
        }
        print(flags, { tag, removed: true }, `Removed ${tag}.`);
      });
    });
}
