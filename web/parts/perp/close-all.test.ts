import assert from 'node:assert/strict'
import test from 'node:test'
import { ApiError, OfflineError } from '@candor/client/errors.ts'
import type { WirePlacePerp, WirePosition } from '@candor/core/protocol/wire/perp.ts'
import type { WireOrder, WirePlaced } from '@candor/core/protocol/wire/spot.ts'
import { CloseAll, type Closing } from './close-all.ts'

const position = (id: string, side: 'buy' | 'sell', quantity: string): WirePosition =>
  ({ id, symbol: `${id}USDTPERP`, side, position: side === 'buy' ? 'long' : 'short', quantity }) as WirePosition
const placed = (status: WireOrder['status'], executed: string): WirePlaced =>
  ({ order: { status, executed }, fills: [], isRepeat: false }) as unknown as WirePlaced

function world(answers: readonly (WirePlaced | Error)[]) {
  const sent: WirePlacePerp[] = []
  let ids = 0
  const all = new CloseAll(
    async (request) => {
      const answer = answers[sent.push(request) - 1]
      if (answer === undefined || answer instanceof Error) throw answer
      return answer
    },
    () => `id${ids++}`,
  )
  const run = async (positions: readonly WirePosition[], isHedge = false) => {
    const results: Record<string, Closing['kind']> = {}
    await all.run(positions, isHedge, (id, { kind }) => (results[id] = kind))
    return results
  }
  return { sent, run }
}

const refused = new ApiError({ code: 'MARKET_HALTED', message: '', status: 409 })

test('UI-ORDERS-006: all positions are closed at market one after the other, and each has its own result', async () => {
  const { sent, run } = world([placed('filled', '1'), refused, placed('expired', '0.5'), placed('expired', '0')])
  const positions = [position('A', 'buy', '1'), position('B', 'sell', '2'), position('C', 'buy', '3'), position('D', 'buy', '4')]
  assert.deepEqual(await run(positions), { A: 'closed', B: 'refused', C: 'partly', D: 'unfilled' })
  const request = { symbol: 'BUSDTPERP', side: 'buy', reduceOnly: true, type: 'market', quantity: '2' }
  assert.deepEqual(sent[1], { clientId: 'id1', ...request })
  const hedged = world([placed('filled', '2')])
  await hedged.run([position('B', 'sell', '2')], true)
  const { reduceOnly: _, ...rest } = request
  assert.deepEqual(hedged.sent[0], { clientId: 'id0', ...rest, position: 'short' })
})

test('UI-ORDERS-007: after a lost answer the same closing order is sent again, and after a refusal a new one', async () => {
  const { sent, run } = world([new OfflineError('unreachable'), refused, placed('filled', '1'), placed('filled', '2')])
  const positions = [position('A', 'buy', '1'), position('B', 'sell', '2')]
  assert.deepEqual(await run(positions), { A: 'lost', B: 'refused' })
  assert.deepEqual(await run([position('A', 'buy', '9'), positions[1]!]), { A: 'closed', B: 'closed' })
  assert.deepEqual(sent[2], sent[0])
  assert.notEqual(sent[3]?.clientId, sent[1]?.clientId)
})
