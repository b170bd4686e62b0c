/** Structured log lines; the first argument holds fields, the second the sentence. */
export interface Log {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}
