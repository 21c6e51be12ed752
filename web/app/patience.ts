/** Retries for the user while the exchange is not available. */
import { ApiError } from '@candor/client/errors.ts'

const patienceMs = 10_000

/**
 * Repeats a request while the exchange answers that it is not available and nothing was changed: after the seconds that the answer
 * names, and for ten seconds at most. Throws every other refusal, and the last one of these.
 */
export async function whenAvailable<Answer>(ask: () => Promise<Answer>): Promise<Answer> {
  const until = Date.now() + patienceMs
  for (;;) {
    try {
      return await ask()
    } catch (error) {
      if (!(error instanceof ApiError) || error.code !== 'UNAVAILABLE') throw error
      const waitMs = (error.retryAfter ?? 1) * 1_000
      if (Date.now() + waitMs > until) throw error
      await new Promise((resolve) => setTimeout(resolve, waitMs))
    }
  }
}
