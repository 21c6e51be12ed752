/** A statement of reserves and an anchor in an exchange of a test, as its processes would publish them. */
import { dayOf } from '@candor/core/proof/chain/possession.ts'
import type pg from 'pg'
import { signReserves } from '../../../proof/reserve-signer.ts'
import { lastHead } from '../../../store/query/proof/heads.ts'
import type { ChainsConfig } from '../../config.ts'
import type { SignerLink } from '../../signer/connect.ts'
import type { Source } from '../balances.ts'
import { ReserveMaker } from '../maker.ts'
import { anchorRaw, ChainKey, factory, usdt, usdtTron } from './reserve-file.ts'
import { keccak256 } from 'viem'

const [hot, gas, cold, anchor] = [new ChainKey(), new ChainKey(), new ChainKey(), new ChainKey()]
const trustless = { confirmations: 1, feeMax: '1', number: 1, label: 'ERC20' }

const config: Pick<ChainsConfig, 'networks'> = {
  networks: [
    {
      ...{ ...trustless, name: 'ethereum', kind: 'evm', chainId: 1, nodes: [{ url: 'https://a.example' }], deposits: { factory } },
      tokens: [
        { asset: 'USDT', contract: usdt, decimals: 6, depositMin: '1' },
        { asset: 'ETH', decimals: 18, depositMin: '1' },
      ],
      ...{ hot: hot.address('evm'), gas: gas.address('evm'), sink: cold.address('evm') },
    },
    {
      ...{
        ...trustless,
        name: 'tron',
        kind: 'tron',
        chainId: 728_126_428,
        number: 2,
        label: 'TRC20',
        nodes: [{ url: 'https://t.example' }],
      },
      tokens: [{ asset: 'USDT', contract: usdtTron, decimals: 6, depositMin: '1' }],
      ...{ hot: hot.address('tron'), gas: gas.address('tron'), sink: cold.address('tron'), deposits: { xpub: 'xpub' } },
    },
  ],
}

/** Every address holds 400 of each token and a coin, as both nodes of Ethereum and the only one of TRON say. */
function sources(now: number): (network: { readonly kind: string }) => readonly Source[] {
  const reader: Source['reader'] = {
    final: async () => 19_000_000,
    block: async () => ({ number: 19_000_000, hash: `0x${'be'.repeat(32)}`, parent: '', at: now - 900_000 }),
    balance: async (_address, contract) => (contract === undefined ? 10n ** 18n : 400_000_000n),
  }
  return ({ kind }) =>
    kind === 'tron'
      ? [{ host: 't.example', reader }]
      : [
          { host: 'a.example', reader },
          { host: 'b.example', reader },
        ]
}

/** `keyFile`: of the key that signs heads. The newest head names a statement of liabilities. */
export async function publishReserves(pool: pg.Pool, keyFile: string): Promise<void> {
  const head = (await lastHead(pool))!
  const now = head.at
  const link: Pick<SignerLink, 'possess'> = {
    possess: async ({ network, of, day, head: named }) => {
      const { kind, chainId } = config.networks.find(({ name }) => name === network)!
      const key = of === 'hot' ? hot : gas
      const address = key.address(kind)
      return { address, signature: key.sign({ network, kind, chainId, address, day, head: named }) }
    },
  }
  const signer = { through: <Result>(ask: (link: SignerLink) => Promise<Result>) => ask(link as SignerLink) }
  await new ReserveMaker({ pool, config, signer, clock: () => now, sources: sources(now) }).turn()
  await signReserves(pool, keyFile)
  const raw = await anchorRaw(head, anchor)
  const [day, txid] = [dayOf(now), keccak256(raw)]
  await pool.query(
    `insert into anchors (network, day, head, state, nonce, txid, block, block_hash, made_at, settled_at)
     values ('ethereum', $1, $2, 'settled', 3, $3, 19000000, $4, $5, $5)`,
    [day, head.n, txid, `0x${'be'.repeat(32)}`, now],
  )
  await pool.query(
    `insert into anchor_attempts (network, day, n, slot, raw, txid, planned_at, signed_at, sent_at) values ('ethereum', $1, 1, '{}', $2, $3, $4, $4, $4)`,
    [day, raw, txid, now],
  )
}
