/** A map, or a cache that forgets. */
interface Kept<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
  delete(key: Key): unknown;
}

/**
 * The value of a key, made at the first request for it; those that ask meanwhile wait for the same.
 * A failure is not kept: the next request makes the value again.
 */
export function madeOnce<Key, Value>(
  values: Kept<Key, Promise<Value>>,
  key: Key,
  make: () => Promise<Value>,
): Promise<Value> {
  const knownValue = values.get(key);
  if (knownValue !== undefined) return knownValue;
  const making = make();
  values.set(key, making);
  making.catch(() => {
    if (values.get(key) === making) values.delete(key);
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

/** What is derived from an object. It is made at its first use, and goes with the object. */
export function keptBy<From extends object, Made>(
  make: (from: From) => Made,
): (from: From) => Made {
  const kept = new WeakMap<From, { readonly value: Made }>();
  return (from) => {
    const derived = kept.get(from) ?? { value: make(from) };
    kept.set(from, derived);
    return derived.value;
  };
}
