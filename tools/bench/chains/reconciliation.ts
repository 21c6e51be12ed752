/** The comparison of chains and books: how long a turn takes with very many deposits, of which a tenth is at its address. */
import type { ChainReader } from '../../../server/chains/ports.ts'
import { DepositParts } from '../../../server/chains/treasury/deposits.ts'
import { ownOf } from '../../../server/chains/treasury/own.ts'
import { reconcileAll } from '../../../server/chains/treasury/reconcile.ts'
import type { ScratchServer } from '../../../server/store/test/scratch.ts'
import { rounded, say } from '../report.ts'
import { type Figure, timeOf, told } from './figures.ts'

const turnMaxMs = 2_000
const final = 1_000
const value = 2_000_000n
const contract = '0x9999999999999999999999999999999999999999'
const own = ownOf({
  ...{
    name: 'ethereum',
    number: 1,
    kind: 'evm',
    label: 'ERC20',
    chainId: 31_337,
    nodes: [{ url: 'http://127.0.0.1:1' }],
    confirmations: 1,
  },
  tokens: [{ asset: 'USDT', contract, decimals: 6, depositMin: '1' }],
  ...{ hot: `0x${'1'.repeat(40)}`, gas: `0x${'2'.repeat(40)}`, sink: `0x${'3'.repeat(40)}` },
  ...{ deposits: { factory: `0x${'4'.repeat(40)}` }, feeMax: '1' },
})

/** Each customer has one deposit. `customers`: how many. */
export async function reconciliation(server: ScratchServer, customers: number): Promise<readonly Figure[]> {
  await using store = await server.store()
  const { pool } = store
  const unswept = Math.floor(customers / 10)
  const { tookMs } = await timeOf(server.folder, async () => {
    for (const text of written(customers, unswept)) await pool.query(text)
  })
  say(`${rounded(customers)} deposits written in ${rounded(tookMs)} ms`)
  const options = { pool, own, settled: [], clock: Date.now, parts: new DepositParts() }
  await reconcileAll(options, [reader])
  const figures: Figure[] = []
  const took = await timeOf(server.folder, async () => {
    const findings = await reconcileAll(options, [reader])
    if (findings.length > 0) throw new Error(`${findings.length} differences, the first one ${findings[0]!.kind} at ${findings[0]!.holder}`)
  })
  figures.push(told(`a comparison with ${rounded(customers)} deposits, ${rounded(unswept)} of them not swept`, took, turnMaxMs))
  return figures
}

/** A node that answers at once: only the books are measured. */
const reader: ChainReader = {
  head: async () => final,
  final: async () => final,
  balance: async (address) => (address.startsWith('0x5') ? value : 0n),
  sent: async () => 0,
  isFrozen: async () => false,
  transfers: async () => [],
  block: async () => undefined,
  receipt: async () => undefined,
}

/** Digits only, as in the bench of deposits. The first deposits were swept. */
function written(customers: number, unswept: number): readonly string[] {
  const swept = customers - unswept
  return [
    `insert into chain_cursors (network, block, final, audited) values ('ethereum', ${final}, ${final}, ${final})`,
    `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
     select gen_random_uuid(), (100000000 + n)::text, n, 'a' || n || '@example.com', '', 0, 'en', 'I' || n, 'retail', 0
     from generate_series(1, ${customers}) n`,
    `insert into deposit_addresses (network, address, account, user_no, place, signature, made_at)
     select 'ethereum', '0x5' || lpad(core_user::text, 39, '0'), id, core_user, core_user, decode(repeat('00', 64), 'hex'), 0 from accounts`,
    `insert into deposits (network, txid, ordinal, asset, contract, sender, address, account, user_no, raw, amount, block_number, block_hash, block_at,
       state, credit, seen_at, swept_block)
     select 'ethereum', 'd' || place, 0, 'USDT', '${contract}', 's', address, account, user_no, ${value}, ${value}, place % ${final}, 'h', 0,
       'final', place, 0, case when place <= ${swept} then ${final} end from deposit_addresses`,
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what, is_done)
     select network, 'f' || place, 0, '${contract}', address, '${own.address.sink}', ${value}, ${final}, 'h', 0, 'sweep', true
     from deposit_addresses where place <= ${swept}`,
    // What was paid stays in the table, too.
    `insert into treasury_flows (network, txid, ordinal, contract, sender, recipient, value, block, block_hash, block_at, what)
     select network, 'p' || place, 0, '${contract}', '${own.address.hot}', 'r', ${value}, 1, 'h', 0, 'payout'
     from deposit_addresses where place <= ${swept}`,
    'analyze accounts, deposit_addresses, deposits, treasury_flows',
  ]
}
