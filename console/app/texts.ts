/** The texts of the page's language, and sentences for failures. */
import { en } from '../texts/en.ts'
import { Problem } from './client.ts'
import { PasskeyUnused } from './passkeys.ts'

export const t = en

/** One sentence for a failure, or two: what happened, and how long to wait. */
export function sentenceOf(cause: unknown): string {
  if (cause instanceof PasskeyUnused) return t.common.passkeyUnused
  if (!(cause instanceof Problem)) return t.common.brokenText
  if (cause.code === 'UNREACHABLE') return t.common.unreachable
  const sentence = t.refusals[cause.code] ?? cause.message
  return cause.retryAfter === undefined ? sentence : `${sentence} ${t.common.waitSeconds(Math.ceil(cause.retryAfter))}`
}
