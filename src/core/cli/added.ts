import { addedByName, type Capability } from '../capability.ts';
import type { AddedSetting } from '../config.ts';

/** What capabilities add to the settings. */
export function settingsOfAll(
  capabilities: readonly Capability[],
): Readonly<Record<string, AddedSetting>> {
  return addedByName(capabilities, ({ settings }) => settings);
}

/** Those that are variables of the environment. */
export function variablesOfAll(
  capabilities: readonly Capability[],
): Readonly<Record<string, AddedSetting>> {
  const all = Object.entries(settingsOfAll(capabilities));
  return Object.fromEntries(all.filter(([name]) => !name.startsWith('--')));
}

/** The flags of a process that serves or collects. Their values are read with the settings. */
export function addedFlags(capabilities: readonly Capability[]): Readonly<Record<never, never>> {
  const flags = Object.values(settingsOfAll(capabilities)).flatMap(({ flag }) => flag ?? []);
  return Object.fromEntries(flags.map(({ notation, about }) => [notation, about]));
}

/** What the demonstration sets, by variable. */
export function demonstrationTexts(
  capabilities: readonly Capability[],
): Readonly<Record<string, string>> {
  const settings = Object.entries(settingsOfAll(capabilities));
  return Object.fromEntries(
    settings.flatMap(([name, { inDemonstration: text }]) =>
      text === undefined ? [] : [[name, text]],
    ),
  );
}
