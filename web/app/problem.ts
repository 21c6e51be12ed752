/** Errors as sentences in the user's language. */
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { isOfFile } from './files.ts'
import type { Translate } from './translate.ts'

export type Problem = {
  readonly text: string
  /** Code for support. */
  readonly code: string | undefined
  readonly field: string | undefined
  readonly canRetry: boolean
}

/** The sentence for a failed request. Failures that are not refusals of the exchange share one general sentence. */
export function problemOf(error: unknown, t: Translate): Problem {
  if (error instanceof ApiError) {
    const known = t(`refusals.${error.code}`, { defaultValue: '' })
    const wait =
      error.retryAfter !== undefined && error.retryAfter > 0 ? ` ${t('common.tryAgainIn', { seconds: Math.ceil(error.retryAfter) })}` : ''
    const text = known === '' ? t('common.failed') : known
    return {
      text: `${text}${wait}`,
      code: error.requestId === '' ? undefined : error.requestId,
      field: error.field,
      canRetry: error.status >= 429,
    }
  }
  if (error instanceof OfflineError || isOfFile(error))
    return { text: t('common.unreachable'), code: undefined, field: undefined, canRetry: true }
  return { text: t('common.failed'), code: undefined, field: undefined, canRetry: true }
}
