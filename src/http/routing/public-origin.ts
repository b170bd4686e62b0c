/**
 * `scheme://host` for links to the service itself. A request's `Host` is anyone's text, so it is used
 * only when the operator has listed it; a cache in front would otherwise hand on what one caller made up.
 */
export class PublicOrigin {
  readonly #configured: string | undefined;
  readonly #byHost: ReadonlyMap<string, string>;
  readonly #listening: () => string;

  constructor({
    publicUrl,
    publicHosts,
    listening,
  }: {
    readonly publicUrl: string | undefined;
    /** Origins, as `https://rates.example.net`. */
    readonly publicHosts: readonly string[];
    /** The address that the port was opened on. */
    readonly listening: () => string;
  }) {
    this.#configured = publicUrl;
    this.#byHost = new Map(publicHosts.map((origin) => [new URL(origin).host, origin]));
    this.#listening = listening;
  }

  /** As a caller addressed the service, as far as that is believed. */
  for({ host }: { readonly host: string | undefined }): string {
    if (this.#configured !== undefined) return this.#configured;
    const listed = host === undefined ? undefined : this.#byHost.get(host.trim().toLowerCase());
    return listed ?? this.#listening();
  }

  /** Where no request is at hand. */
  get own(): string {
    return this.#configured ?? this.#byHost.values().next().value ?? this.#listening();
  }
}
