/** Errors as sentences in the user's language. */
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { isOfFile } from './files.ts'
import { decimalFormats } from './formats.ts'
import type { Path } from './routes.ts'
import { useSettings } from './settings.ts'
import { useLang } from './texts.ts'
import type { Key, Translate } from './translate.ts'

/** Where a refused request can be made possible, and the text of the link. */
export type WayOut = { readonly to: Path; readonly text: Key }

export type Problem = {
  readonly text: string
  /** Code for support. */
  readonly code: string | undefined
  readonly field: string | undefined
  readonly canRetry: boolean
  readonly way?: WayOut | undefined
}

const toVerify: WayOut = { to: '/kyc', text: 'common.verify' }
const toLimits: WayOut = { to: '/limits', text: 'common.myLimits' }
const toSupport: WayOut = { to: '/support', text: 'common.askSupport' }
const ways: Readonly<Record<string, WayOut>> = {
  NOT_CERTIFIED: toVerify,
  TURNOVER_LIMIT: toVerify,
  RESTING: toLimits,
  DEPOSIT_LIMIT: toLimits,
  USER_FROZEN: toSupport,
  FREEZE_LINK_RESTS: toSupport,
  DEPOSIT_ADDRESS_WRONG: toSupport,
}

/** Longer waits name their end instead of their length. */
const longWaitSeconds = 600

/** The sentence for a failed request. Failures that are not refusals of the exchange share one general sentence. */
export function problemOf(error: unknown, t: Translate): Problem {
  if (error instanceof ApiError) {
    const known = t(`refusals.${error.code}`, { defaultValue: '' })
    const text = known === '' ? t('common.failed') : known
    return {
      text: `${text}${waitOf(error.retryAfter, t)}`,
      code: error.requestId === '' ? undefined : error.requestId,
      field: error.field,
      canRetry: error.status >= 429,
      way: ways[error.code],
    }
  }
  if (error instanceof OfflineError || isOfFile(error))
    return { text: t('common.unreachable'), code: undefined, field: undefined, canRetry: true }
  return { text: t('common.failed'), code: undefined, field: undefined, canRetry: true }
}

/** The sentence that says how long or until when to wait, after a space; empty without a wait. */
function waitOf(seconds: number | undefined, t: Translate): string {
  if (seconds === undefined || seconds <= 0) return ''
  const format = decimalFormats(useLang.getState().tag, useSettings.getState().timeZone)
  const ms = Math.ceil(seconds) * 1_000
  const said =
    seconds < longWaitSeconds
      ? t('common.tryAgainIn', { wait: format.span(ms) })
      : t('common.tryAgainAt', { time: format.dateTime(Date.now() + ms) })
  return ` ${said}`
}
