import type { Command } from 'commander';
import { actingAs, commandAuthor } from '../app/audit/author.ts';
import type { Author } from '../app/ports/audit.ts';
import type { Toolbox } from '../compose.ts';
import { PACKAGED_CATALOGUE, readConfig } from '../config.ts';
import { type CommonFlags, print, remark, UsageError } from './output.ts';
import { withToolbox } from './toolbox.ts';

/** What the help says of a flag. One with a value may be required, or have a default. */
type FlagText =
  | string
  | { readonly about: string; readonly isRequired: true }
  | { readonly about: string; readonly byDefault: string }
  /** The flag takes one value and may be given again; without this, values follow one another. */
  | { readonly about: string; readonly isRepeated: true };

type Camel<Name extends string> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;

/** `<key-id>` is given as `keyId`, `--dry-run` as `dryRun`, `--no-collect` as `collect`. */
type NameOf<Notation> = Notation extends `--no-${infer Name}`
  ? Camel<Name>
  : Notation extends `--${infer Name} <${string}>`
    ? Camel<Name>
    : Notation extends `--${infer Name}`
      ? Camel<Name>
      : Notation extends `${'<' | '['}${infer Name}...${'>' | ']'}`
        ? Camel<Name>
        : Notation extends `${'<' | '['}${infer Name}${'>' | ']'}`
          ? Camel<Name>
          : never;

type ArgumentValue<Notation> = Notation extends `${string}...${string}`
  ? readonly string[]
  : Notation extends `<${string}`
    ? string
    : string | undefined;

type FlagValue<Notation, Text> = Notation extends `${string}...>`
  ? readonly string[] | undefined
  : Notation extends `${string}>`
    ? Text extends string
      ? string | undefined
      : string
    : boolean;

/** The arguments and flags of a call, by name. A switch that is not given is false. */
type Input<Arguments, Flags> = {
  readonly [Notation in keyof Arguments as NameOf<Notation>]: ArgumentValue<Notation>;
} & {
  readonly [Notation in keyof Flags as NameOf<Notation>]: FlagValue<Notation, Flags[Notation]>;
} & CommonFlags;

/** What a command prints, and its exit code. */
export interface Result {
  /** The document that `--json` prints. */
  readonly json: unknown;
  readonly text: string;
  /** Lines on stderr. */
  readonly remarks?: readonly string[];
  /** Lines on stderr beside the text. With `--json` the document says the same. */
  readonly hints?: readonly string[];
  /** Default 0. */
  readonly exitCode?: number;
}

interface Declaration<Arguments, Flags> {
  readonly name: string;
  readonly about: string;
  /** By notation, `<required>` or `[optional]`, with their meanings. */
  readonly arguments?: Arguments;
  /** By notation, with their meanings. */
  readonly flags?: Flags;
  /** Text after the help. */
  readonly help?: string;
  /** The command behind which the help lists it; it comes last without one. */
  readonly follows?: string;
  /** Its own flag that chooses it among commands of the same name; without one it is the usual one. */
  readonly chosenBy?: string;
  /** It runs until it is stopped: what it changes by itself is not in the name of who started it. */
  readonly isService?: true;
}

type Texts = Readonly<Record<string, string>>;
type FlagTexts = Readonly<Record<string, FlagText>>;
type NoTexts = Readonly<Record<never, never>>;

/** Adds a command, or a group of them, to the one above. */
export type AddCommand = (parent: Command) => void;

/** A command of the command line. `run` imports what takes long to load. */
export function command<
  const Arguments extends Texts = NoTexts,
  const Flags extends FlagTexts = NoTexts,
>(
  declaration: Declaration<Arguments, Flags> & {
    /** Without a result it prints by itself. */
    run(input: Input<Arguments, Flags>): Promise<Result | undefined>;
  },
): AddCommand {
  const { name, about, help } = declaration;
  return (parent) => {
    const known = parent.commands.find((other) => other.name() === name);
    const own = known ?? parent.command(name);
    if (known === undefined && declaration.follows !== undefined) {
      listBehind(declaration.follows, own, parent);
    }
    own.description(known === undefined ? about : `${known.description()}; ${about}`);
    for (const [notation, meaning] of Object.entries(declaration.arguments ?? {})) {
      own.argument(notation, meaning);
    }
    for (const [notation, text] of Object.entries(declaration.flags ?? {})) {
      if (own.options.some(({ flags }) => flags === notation.replace('...', ''))) continue;
      if (typeof text === 'string') own.option(notation, text);
      else if ('isRequired' in text) own.requiredOption(notation, text.about);
      else if ('isRepeated' in text) {
        const oneValue = notation.replace('...', '');
        const collected = (value: string, before: readonly string[] = []) => [...before, value];
        own.option<readonly string[]>(oneValue, text.about, collected);
      } else own.option(notation, text.about, text.byDefault);
    }
    if (help !== undefined) own.addHelpText('after', help);
    const ways = [...(waysOf.get(own) ?? []), { ...declaration, run: runThis }];
    waysOf.set(own, ways);
    own.action(() => wayOf(own, ways).run());
    async function runThis(): Promise<void> {
      const input = inputOf<Input<Arguments, Flags>>(own);
      const run = () => declaration.run(input);
      const result = await (declaration.isService ? run() : actingAs(authorOf(own), run));
      if (result !== undefined) show(input, result);
    }
  };
}

/** Commander keeps the order of the help in a list that its types protect, and has no other way to set it. */
function listBehind(name: string, own: Command, parent: Command): void {
  const listed = parent.commands as Command[];
  listed.splice(listed.indexOf(own), 1);
  listed.splice(listed.findIndex((other) => other.name() === name) + 1 || listed.length, 0, own);
}

/** One of several declarations of a command. */
interface Way extends Pick<Declaration<Texts, FlagTexts>, 'arguments' | 'flags' | 'chosenBy'> {
  run(): Promise<void>;
}

/** Parts of the product declare ways to run a command of one name, and know nothing of each other. */
const waysOf = new WeakMap<Command, readonly Way[]>();

/** @throws UsageError when none is chosen, or something is given that is for another one. */
function wayOf(own: Command, ways: readonly Way[]): Way {
  const [only] = ways;
  if (only !== undefined && ways.length === 1 && only.chosenBy === undefined) return only;
  const flagIn = (notation = '') => notation.split(' ')[0] ?? '';
  const given = own.options
    .filter((option) => own.getOptionValueSource(option.attributeName()) === 'cli')
    .map(({ long }) => long ?? '');
  const chosen = ways.find(({ chosenBy }) => given.includes(flagIn(chosenBy)));
  const way = chosen ?? ways.find(({ chosenBy }) => chosenBy === undefined);
  if (way === undefined || given.length + own.args.length === 0) {
    const choices = ways.flatMap(({ chosenBy, arguments: named = {} }) =>
      chosenBy === undefined ? Object.keys(named) : flagIn(chosenBy),
    );
    throw new UsageError(`Give ${choices.join(' or ')}.`);
  }
  const flags = Object.keys(way.flags ?? {}).map(flagIn);
  const isForOthers =
    given.some((flag) => !flags.includes(flag)) ||
    own.args.length > Object.keys(way.arguments ?? {}).length;
  if (isForOthers) {
    const others = flags.filter((flag) => flag !== flagIn(way.chosenBy)).join(', ');
    throw new UsageError(`With ${flagIn(way.chosenBy)} only ${others} may be given.`);
  }
  return way;
}

/** In whose name a command works. Its arguments stay out: one of them may be a key. */
function authorOf(own: Command): Author {
  const names: string[] = [];
  for (let at: Command | null = own; at !== null; at = at.parent) names.unshift(at.name());
  return commandAuthor(names.join(' '), { now: () => Date.now() });
}

/** A command that works on the database, which is opened for it and closed after it. */
export function databaseCommand<
  const Arguments extends Texts = NoTexts,
  const Flags extends FlagTexts = NoTexts,
  Question = Input<Arguments, Flags>,
>(
  declaration: Declaration<Arguments, Flags> & {
    /** Without a database it fails by default; or it creates one, and a dry run a temporary one. */
    readonly withoutDatabase?: 'create';
    /** It uses nothing of the catalogue, so a fault there must not stop it. */
    readonly ignoresCatalogue?: true;
    /** Checks what is given before the database is opened, and returns what `work` needs of it. */
    read?(input: Input<Arguments, Flags>): Question | Promise<Question>;
    work(toolbox: Toolbox, question: Question): Promise<Result | undefined>;
  },
): AddCommand {
  const { withoutDatabase, ignoresCatalogue } = declaration;
  return command({
    ...declaration,
    async run(input) {
      const question = await questionOf(declaration, input);
      const isDry = 'dryRun' in input && input.dryRun === true;
      const without = isDry && withoutDatabase === 'create' ? 'try' : withoutDatabase;
      const work = (toolbox: Toolbox) => declaration.work(toolbox, question);
      const config = readConfig(input);
      const catalogueDir = ignoresCatalogue ? PACKAGED_CATALOGUE : config.catalogueDir;
      return withToolbox({ ...config, catalogueDir }, work, without);
    },
  });
}

/** Without `read` the question is what is given, as the type parameter's default says. */
async function questionOf<Values, Question>(
  { read }: { read?(input: Values): Question | Promise<Question> },
  input: Values,
): Promise<Question> {
  return read === undefined ? (input as unknown as Question) : read(input);
}

/** Commands under one name. */
export function group(
  name: string,
  about: string,
  commands: readonly AddCommand[],
  { help = '', follows }: Pick<Declaration<NoTexts, NoTexts>, 'help' | 'follows'> = {},
): AddCommand {
  return (parent) => {
    const own = parent.command(name).description(about).addHelpText('after', help);
    if (follows !== undefined) listBehind(follows, own, parent);
    for (const add of commands) add(own);
  };
}

/** The declaration names the types of exactly the values that commander reads by it. */
function inputOf<Values extends CommonFlags>(own: Command): Values {
  const named = own.registeredArguments.map((argument, place) => [
    argument.name().replace(/-(.)/g, (_, letter: string) => letter.toUpperCase()),
    own.processedArgs[place],
  ]);
  const switches = own.options
    .filter((option) => option.isBoolean())
    .map((option) => [option.attributeName(), false]);
  return {
    ...Object.fromEntries([...named, ...switches]),
    ...own.optsWithGlobals(),
  } as Values;
}

function show(
  flags: CommonFlags,
  { json, text, remarks = [], hints = [], exitCode }: Result,
): void {
  print(flags, json, text);
  if (exitCode !== undefined) process.exitCode = exitCode;
  for (const line of [...remarks, ...(flags.json === true ? [] : hints)]) remark(line);
}
