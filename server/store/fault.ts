/** The outside world failed: disk, network, database. `isRetryable`: the same call may succeed later without anyone's help. */
export class StoreFault extends Error {
  readonly isRetryable: boolean

  constructor(message: string, options: { readonly cause?: unknown; readonly isRetryable?: boolean } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.name = 'StoreFault'
    this.isRetryable = options.isRetryable ?? false
  }
}

/** Connection lost, server starting or stopping, temporarily read-only, out of a resource, cancelled: a retry may work. */
export function isPassing(cause: unknown): boolean {
  if (cause instanceof StoreFault) return cause.isRetryable
  const code = (cause as { code?: unknown }).code
  if (typeof code !== 'string') return cause instanceof Error && /connection|timeout/i.test(cause.message)
  return /^(08|25006|40|53|57|58)/.test(code) || code.startsWith('E')
}
