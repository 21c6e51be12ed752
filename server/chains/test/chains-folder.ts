import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { HDKey } from '@scure/bip32'
import { AddressBook } from '../addresses/book.ts'
import type { WalletService } from '../addresses/wallet.ts'
import { Wallet } from '../signer/wallet.ts'
import { Issuer } from '../worker/issuer.ts'
import { Loop } from '../worker/loop.ts'
import { type ChainsConfig, chainsFileName } from '../config.ts'

const factory = '0x00000000000000000000000000000000000fac70'
const usdtTron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const usdtEthereum = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** A folder of chains without chains: networks, keys, and a wallet service in this process. */
export class ChainsFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'candor-chains-'))
  readonly #wallet: Wallet
  readonly config: ChainsConfig

  constructor({ faucet }: { readonly faucet?: string } = {}) {
    const xpub = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey
    this.#wallet = new Wallet(randomBytes(32), [
      { name: 'tron', chainId: 728_126_428, deposits: { xpub } },
      { name: 'ethereum', chainId: 31_337, deposits: { factory } },
    ])
    const own = '0x00000000000000000000000000000000000000aa'
    const ours = 'TLsV52sRDL79HXGGm9yzwKibb6BeruhUzy'
    this.config = {
      walletKey: this.#wallet.publicKey,
      signer: '/nowhere',
      networks: [
        {
          ...{ name: 'tron', number: 2, kind: 'tron', label: 'TRC20', chainId: 728_126_428, confirmations: 0 },
          nodes: [{ url: 'http://127.0.0.1:1', solidUrl: 'http://127.0.0.1:1' }],
          explorer: 'https://tronscan.org/#/transaction/{txid}',
          tokens: [{ asset: 'USDT', contract: usdtTron, decimals: 6, depositMin: '1' }],
          ...{ hot: ours, gas: ours, sink: ours, deposits: { xpub }, feeMax: '100000000' },
        },
        {
          ...{ name: 'ethereum', number: 1, kind: 'evm', label: 'ERC20', chainId: 31_337, confirmations: 12 },
          nodes: [{ url: 'http://127.0.0.1:1' }],
          explorer: 'https://etherscan.io/tx/{txid}',
          tokens: [
            { asset: 'USDT', contract: usdtEthereum, decimals: 6, depositMin: '1' },
            { asset: 'ETH', decimals: 18, depositMin: '0.01' },
          ],
          ...{ hot: own, gas: own, sink: own, deposits: { factory }, feeMax: '100000000' },
        },
      ],
      ...(faucet === undefined ? {} : { faucet }),
    }
    writeFileSync(join(this.path, chainsFileName), JSON.stringify(this.config))
    for (const name of ['engine', 'login', 'reconciliation'])
      writeFileSync(join(this.path, `${name}.key`), randomBytes(32).toString('hex'), { mode: 0o600 })
  }

  /** Issues addresses that are asked for, as the process of chains does once it reads the networks. */
  issue(pool: pg.Pool): AsyncDisposable {
    const reads = pool.query(
      `insert into chain_cursors (network, block, final, audited) select name, 1, 1, 1 from unnest($1::text[]) as name on conflict do nothing`,
      [this.config.networks.map(({ name }) => name)],
    )
    const wallet: WalletService = {
      issue: async (about) => {
        const { address, signature } = this.#wallet.issue(about)
        return { address, signature: Uint8Array.from(Buffer.from(signature, 'hex')) }
      },
    }
    const book = new AddressBook({ pool, wallet, walletKey: Uint8Array.from(Buffer.from(this.config.walletKey, 'hex')), clock: Date.now })
    const issuer = new Issuer(pool, book)
    return new Loop({ turn: () => reads.then(() => issuer.turn()), pollMs: 20, onFault: () => undefined })
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
