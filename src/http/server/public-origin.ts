/**
 * `scheme://host` for links to the service itself. Anyone can send any `Host`, so only hosts that
 * the operator has listed are used. Otherwise a cache in front could serve links that one caller
 * made up.
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
    /** The URL that the server listens on. */
    readonly listening: () => string;
  }) {
    this.#configured = publicUrl;
    this.#byHost = new Map(publicHosts.map((origin) => [new URL(origin).host, origin]));
    this.#listening = listening;
  }

  /** The origin that the caller used, if it is listed. */
  for({ host }: { readonly host: string | undefined }): string {
    if (this.#configured !== undefined) return this.#configured;
    const listed = host === undefined ? undefined : this.#byHost.get(host.trim().toLowerCase());
    return listed ?? this.#listening();
  }

  /** The origin to use without a request. */
  get own(): string {
    return this.#configured ?? this.#byHost.values().next().value ?? this.#listening();
  }
}
