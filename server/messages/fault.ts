/** The next hop did not accept a message. */
export class MessageFault extends Error {
  readonly isRetryable: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isRetryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'MessageFault'
    this.isRetryable = options.isRetryable ?? true
  }
}
