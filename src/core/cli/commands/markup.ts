import type { Markets } from '../../domain/markets.ts';
import type { MarkupKind, MarkupRule } from '../../domain/markup.ts';
import { didYouMean } from '../../domain/near-names.ts';
import { databaseCommand, group } from '../command.ts';
import { CommandError, textTable, UsageError, visible } from '../output.ts';

const DECIMAL_NUMBER = /^-?\d+(?:\.\d+)?$/;

function draftOf(
  tag: string,
  { percent, fixed, markets }: Partial<Record<'percent' | 'fixed' | 'markets', string>>,
) {
  if ((percent === undefined) === (fixed === undefined)) {
    throw new UsageError('Pass either --percent or --fixed.');
  }
  const kind: MarkupKind = percent === undefined ? 'fixed' : 'percent';
  const number = percent ?? fixed ?? '';
  if (!DECIMAL_NUMBER.test(number)) {
    throw new UsageError(`--${kind} takes a number such as 3.5 or -10, not "${number}".`);
  }
  const names = markets
    ?.split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return { tag, kind, value: Number(number), markets: names };
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
  throw new UsageError(`${subject} ${issue?.message ?? 'is not accepted'}.${hint}`);
}

function view({ tag, kind, value, markets, active }: MarkupRule) {
  return { tag, kind, value, markets, active };
}

function rowOf({ tag, kind, value, markets, active }: MarkupRule): string[] {
  const size = kind === 'percent' ? `${value} %` : `${value} VES`;
  return [tag, size, markets.length === 0 ? 'all' : markets.join(','), active ? 'yes' : 'no'];
}

const COLUMNS = ['TAG', 'MARKUP', 'MARKETS', 'ACTIVE'];

const ACCOUNT = { '<account>': 'id of the account' } as const;

export const markupCommands = group('markup', 'manage the markup rules of an account', [
  databaseCommand({
    name: 'set',
    about: 'create a rule, or replace the one with that tag',
    arguments: { ...ACCOUNT, '<tag>': 'name of the rule: 1 to 32 of a-z, 0-9, _ and -' },
    flags: {
      '--percent <number>': 'percent of the rate, -99 to 1000',
      '--fixed <number>': 'VES added to the rate; may be negative',
      '--markets <ids>': 'markets it covers, separated by commas; by default all',
    },
    read: ({ account, tag, ...flags }) => ({ account, draft: draftOf(tag, flags) }),
    async work({ accounts, store, plans, markets }, { account, draft }) {
      const { beyondPlan, requireFeature } = await import('../../app/access/access.ts');
      const { MARKUP_LIMIT, tooManyRules } = await import('../../app/access/markups.ts');
      const plan = accounts.planOf(await accounts.find(account));
      requireFeature(plans, plan, 'markup');
      const rule = await readRule(markets, draft);
      const result = await store.saveMarkup(account, rule, 'either', plan.markupsMax);
      if (result !== 'saved') {
        throw beyondPlan(plans, plan, { ...MARKUP_LIMIT, message: tooManyRules(plan) });
      }
      return { json: view(rule), text: textTable(COLUMNS, [rowOf(rule)]) };
    },
  }),
  databaseCommand({
    name: 'list',
    about: 'list the rules of an account',
    arguments: ACCOUNT,
    async work({ accounts, store }, { account }) {
      await accounts.find(account);
      const rules = await store.listMarkups(account);
      const text = textTable(COLUMNS, rules.map(rowOf), 'The account has no rules.');
      return { json: rules.map(view), text };
    },
  }),
  databaseCommand({
    name: 'remove',
    about: 'remove a rule',
    arguments: { ...ACCOUNT, '<tag>': 'name of the rule' },
    async work({ accounts, store }, { account, tag }) {
      await accounts.find(account);
      if (!(await store.deleteMarkup(account, tag))) {
        throw new CommandError('markup_not_found', `The account ${account} has no rule ${tag}.`);
      }
      return { json: { tag, removed: true }, text: `Removed ${tag}.` };
    },
  }),
]);
