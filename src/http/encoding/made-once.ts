/**
 * The value of a key, made at the first request for it; those that ask meanwhile wait for the same.
 * A failure is not kept: the next request makes the value again.
 */
export function madeOnce<Key, Value>(
  known: Map<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const found = known.get(key);
  if (found !== undefined) return found;
  const making = make();
  known.set(key, making);
  making.catch(() => {
    if (known.get(key) === making) known.delete(key);
  });
  return making;
}

/** Calls `make` at the first request: the public URL is known only once the port is open. */
export function once<Value>(make: () => Value): () => Value {
  let made: { readonly value: Value } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}
