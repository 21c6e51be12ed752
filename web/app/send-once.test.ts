import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import { SendOnce } from './send-once.ts'

type Asked = { readonly side: 'buy' | 'sell'; readonly amount: string }
type Request = Asked & { readonly clientId: string; readonly price: number }

const asked: Asked = { side: 'buy', amount: '1' }

/** A sender with ids 1, 2, 3 …, and another price each time a request is made. */
function given(): { begin: (what?: Asked) => Request | undefined; end: (error?: unknown) => void } {
  let ids = 0
  let price = 100
  const once = new SendOnce<Asked, Request>(() => String((ids += 1)))
  return {
    begin: (what = asked) => once.begin(what, (clientId, { side, amount }) => ({ clientId, side, amount, price: (price += 1) })),
    end: (error) => once.end(error),
  }
}

const lost = [
  ['no answer came', new OfflineError('unreachable')],
  ['no answer came in time', new OfflineError('timeout')],
  ['something else answered', new OfflineError('unreadable')],
  ['the exchange cannot say', new ApiError({ code: 'STATUS_UNKNOWN', message: '', status: 503 })],
] as const

describe('the client id of a request', () => {
  test('UI-ONCE-001: a second tap while a request is on its way sends nothing', () => {
    const { begin } = given()
    assert.equal(begin()?.clientId, '1')
    assert.equal(begin(), undefined)
    assert.equal(begin({ ...asked, amount: '2' }), undefined)
  })

  for (const [how, error] of lost) {
    test(`UI-ONCE-002: where ${how}, the same order again is the same request`, () => {
      const { begin, end } = given()
      const first = begin()
      end(error)
      assert.deepEqual(begin({ ...asked }), first)
      end(error)
      assert.deepEqual(begin(), first)
    })
  }

  test('UI-ONCE-003: a changed order after a lost answer is a new request', () => {
    for (const change of [{ amount: '2' }, { side: 'sell' }] as const) {
      const { begin, end } = given()
      begin()
      end(new OfflineError('unreachable'))
      assert.equal(begin({ ...asked, ...change })?.clientId, '2')
    }
  })

  test('UI-ONCE-004: after an answer, even a refusal, the same order is a new request', () => {
    const { begin, end } = given()
    begin()
    end()
    assert.equal(begin()?.clientId, '2')
    end(new ApiError({ code: 'INSUFFICIENT_BALANCE', message: '', status: 409 }))
    assert.equal(begin()?.clientId, '3')
    end(new ApiError({ code: 'UNAVAILABLE', message: '', status: 503 }))
    assert.equal(begin()?.clientId, '4')
  })

  test('UI-ONCE-004: an answer to the retry ends it', () => {
    const { begin, end } = given()
    begin()
    end(new OfflineError('timeout'))
    assert.equal(begin()?.clientId, '1')
    end()
    assert.equal(begin()?.clientId, '2')
  })
})
