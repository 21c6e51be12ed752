/** Waiting for an exchange that says to come back in a moment, in the person's place. */
import { ApiError } from '@candor/client/errors.ts'

const patienceMs = 10_000

/**
 * Asks again after as many seconds as the answer says, while it is that nothing was changed because the exchange is not
 * available, for ten seconds at most. Throws every other refusal, and the last one of these.
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
