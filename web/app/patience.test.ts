import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from '@candor/client/errors.ts'
import { whenAvailable } from './patience.ts'

const refusal = (code: ApiError['code'], retryAfter?: number): ApiError =>
  new ApiError({ code, message: code, status: 503, requestId: '', field: undefined, retryAfter })

/** Lets the clock run until the promise is settled. Returns the time. */
async function decided<Answer>(
  tick: (ms: number) => void,
  promise: Promise<Answer>,
): Promise<{ readonly at: number; readonly answer: unknown }> {
  let answer: { readonly value: unknown } | undefined
  promise.then(
    (value) => (answer = { value }),
    (value) => (answer = { value }),
  )
  const began = Date.now()
  while (answer === undefined) {
    await new Promise((resolve) => setImmediate(resolve))
    if (answer === undefined) tick(500)
  }
  return { at: Date.now() - began, answer: (answer as { readonly value: unknown }).value }
}

test('UI-FAUCET-001: after one tap the app retries until the exchange is available, for ten seconds at most', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout', 'Date'] })
  const tick = (ms: number): void => t.mock.timers.tick(ms)

  let asked = 0
  const soon = whenAvailable(async () => {
    asked += 1
    if (asked === 1) throw refusal('UNAVAILABLE', 1)
    if (asked === 2) throw refusal('UNAVAILABLE', 3)
    return 'paid'
  })
  assert.deepEqual(await decided(tick, soon), { at: 4_000, answer: 'paid' })

  asked = 0
  const never = whenAvailable(async () => {
    asked += 1
    throw refusal('UNAVAILABLE', 2)
  })
  const { at, answer } = await decided(tick, never)
  assert.equal((answer as ApiError).code, 'UNAVAILABLE')
  assert.equal(at, 10_000)
  assert.equal(asked, 6)
})

test('UI-FAUCET-001: a request refused for another reason, or one that may have succeeded, is not repeated', async () => {
  for (const code of ['FAUCET_LIMIT', 'STATUS_UNKNOWN', 'RATE_LIMITED'] as const) {
    let asked = 0
    const one = whenAvailable(async () => {
      asked += 1
      throw refusal(code, 1)
    })
    await assert.rejects(one, { code })
    assert.equal(asked, 1)
  }
})
