/** Withdrawals: from the approval to the broadcast, with the signer's process, on test nodes that make blocks on demand. */
import { setTimeout as sleep } from 'node:timers/promises'
import { EvmLab, finality } from '../../../server/chains/payout/test/evm-lab.ts'
import type { ScratchServer } from '../../../server/store/test/scratch.ts'
import { rounded } from '../report.ts'
import { type Figure, timeOf, told } from './figures.ts'

const broadcastMaxMs = 10_000

/** `keys`: paying addresses, each of a network of its own. */
export async function broadcasts(server: ScratchServer, keys: number, withdrawals: number): Promise<readonly Figure[]> {
  await using stack = new AsyncDisposableStack()
  const labs: EvmLab[] = []
  for (let n = 0; n < keys; n++) labs.push(stack.use(await EvmLab.open(server)))
  const each = withdrawals / keys
  for (const lab of labs) for (let w = 1; w <= each; w++) lab.approve(w)
  const took = await timeOf(server.folder, () => Promise.all(labs.map((lab) => broadcast(lab, each))))
  for (const lab of labs) await settle(lab, each)
  return [told(`${rounded(withdrawals)} withdrawals signed and broadcast, ${keys} keys`, took, broadcastMaxMs)]
}

async function broadcast(lab: EvmLab, wanted: number): Promise<void> {
  const fresh = [...(await lab.core.approved())]
  // The node itself, without the door of tests that lies about what it took.
  const payout = lab.payout({ chain: lab.chain({}, [lab.anvil.url]), approved: async () => fresh.splice(0) })
  for (let sent = 0; sent < wanted; ) {
    await payout.pass()
    await lab.anvil.mine(finality + 2)
    const [row] = await lab.rows<{ sent: number }>(
      'select count(distinct withdrawal)::int as sent from payout_attempts where sent_at is not null',
    )
    sent = row!.sent
  }
}

/** throws  Error when one was not paid exactly once */
async function settle(lab: EvmLab, wanted: number): Promise<void> {
  const payout = lab.payout()
  while (lab.core.ended.size < wanted) {
    await payout.pass()
    await lab.anvil.mine(finality + 2)
    await sleep(0)
  }
  const counts = await lab.paid()
  if (counts.size !== wanted || [...counts.values()].some((count) => count !== 1)) throw new Error('A withdrawal was not paid once')
}
