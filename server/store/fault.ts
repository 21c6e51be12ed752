/** The outside world failed: disk, network, database. `isRetryable`: the same call may succeed later without anyone's help. */
export class StoreFault extends Error {
  readonly isRetryable: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isRetryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StoreFault'
    this.isRetryable = options.isRetryable ?? false
  }
}
