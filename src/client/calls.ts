/** What a method of the client asks for, and the options that its callers give. */

export interface CallOptions {
  /** Aborts the call, including its pauses, with an error of the code `aborted`. */
  readonly signal?: AbortSignal | undefined;
}

/** Requests the answer as text in another format, if the plan includes it. */
export interface AsText {
  readonly format: 'csv' | 'xml';
  /** Language of a CSV. `es` has `;`, decimal commas and Spanish headers. */
  readonly locale?: 'en' | 'es' | undefined;
}

/** A past day in Caracas, `YYYY-MM-DD`. */
export interface OnDate {
  readonly date: string;
}

/** No past day: the current rate. The name is left out: a call with a `date` that is undefined rejects. */
export interface Current {
  readonly date?: undefined;
}

/** The name of a saved markup rule. */
export interface WithMarkup {
  readonly markup: string;
}

/** A request to the API. */
export interface ApiCall {
  readonly method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly path: string;
  /** Query parameters. Undefined ones are left out, lists are joined with commas. */
  readonly query?: object;
  /** Sent as JSON. */
  readonly body?: object;
  readonly signal?: AbortSignal | undefined;
  /** The call needs no key, so none is sent. */
  readonly open?: boolean;
  /** The call is not retried after a 503, because it might then be executed twice. */
  readonly once?: boolean;
}

/** Sends a call. Returns JSON as a value, another format as text, and nothing for a DELETE. */
export type Send = <Answer>(call: ApiCall) => Promise<Answer>;
