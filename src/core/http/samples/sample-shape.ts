/** Rows of a list that the declared sample leaves empty. */
// limit: Rows of a list in a sample | as declared; 3 where none is | not shown
const FEW_ROWS = 3;

type Fields = Readonly<Record<string, unknown>>;

/** By which a row is known, whatever its figures are. */
const NAMES = ['market', 'currency', 'bank', 'source', 'name', 'id', 'date'] as const;

/**
 * An answer as short as the declared sample: its lists have as many rows, those of the same markets
 * where it has them. Undefined when it has none where the sample has some: such an answer shows nothing.
 */
export function inShapeOf(declared: unknown, answer: unknown): unknown {
  if (Array.isArray(answer)) return rowsInShape(Array.isArray(declared) ? declared : [], answer);
  if (!isFields(answer)) return answer;
  const other: Fields = isFields(declared) ? declared : {};
  const fields = Object.entries(answer).map(([name, one]) => [name, inShapeOf(other[name], one)]);
  return fields.some(([, one]) => one === undefined) ? undefined : Object.fromEntries(fields);
}

function rowsInShape(declared: readonly unknown[], answer: readonly unknown[]): unknown {
  if (declared.length === 0) return answer.slice(0, FEW_ROWS);
  if (answer.length === 0) return undefined;
  const left = [...answer];
  const rows = declared.flatMap((sample) => {
    const same = left.findIndex(
      (row) => nameOf(row) !== undefined && nameOf(row) === nameOf(sample),
    );
    return same < 0 ? [undefined] : left.splice(same, 1);
  });
  // In the order of the answer, those of no common name in the places that are left.
  const chosen = new Set(rows.map((row) => row ?? left.shift()));
  const shown = answer.filter((row) => chosen.has(row));
  const [first] = declared;
  const made = shown.map((row) =>
    inShapeOf(declared.find((one) => nameOf(one) === nameOf(row)) ?? first, row),
  );
  return made.includes(undefined) ? undefined : made;
}

function nameOf(row: unknown): unknown {
  if (!isFields(row)) return undefined;
  const field = NAMES.find((name) => typeof row[name] === 'string');
  return field && row[field];
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
