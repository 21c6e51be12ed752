/** The part of pino that the feeds use. */
export type Log = {
  info(details: object, text: string): void
  warn(details: object, text: string): void
  error(details: object, text: string): void
}
