import { generateKeyPairSync, randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type pg from 'pg'
import { HDKey } from '@scure/bip32'
import { AddressBook } from '../addresses/book.ts'
import { LocalWallet } from '../addresses/wallet.ts'
import { type ChainsConfig, chainsFileName } from '../config.ts'

const factory = '0x00000000000000000000000000000000000fac70'
const usdtTron = 'TR7NHqjeKQxGTCi8q8ZY4pL8otSzgjLj6t'
const usdtEthereum = '0xdAC17F958D2ee523a2206206994597C13D831ec7'

/** A folder of chains without chains: networks, keys, and a wallet service in this process. */
export class ChainsFolder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'candor-chains-'))
  readonly wallet: LocalWallet
  readonly config: ChainsConfig

  constructor({ faucet }: { readonly faucet?: string } = {}) {
    const pem = generateKeyPairSync('ed25519').privateKey.export({ format: 'pem', type: 'pkcs8' }) as string
    const xpub = HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey
    this.wallet = new LocalWallet(pem, { tron: { kind: 'tron', xpub }, ethereum: { kind: 'evm', chainId: 31_337, factory } })
    const own = '0x00000000000000000000000000000000000000aa'
    const ours = 'TQn9Y2khEsLJW1ChVWFMSMeRDow5KcbLSE'
    this.config = {
      walletKey: Buffer.from(this.wallet.publicKey).toString('hex'),
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

  /** Issues addresses that are asked for, as the process of chains does. Returns a function that stops it. */
  issue(pool: pg.Pool): () => Promise<void> {
    const book = new AddressBook({ pool, wallet: this.wallet, walletKey: this.wallet.publicKey, clock: Date.now })
    let isOn = true
    const work = async (): Promise<void> => {
      while (isOn) {
        const { rows } = await pool.query<{ network: string; account: string }>('select network, account from deposit_address_requests')
        for (const { network, account } of rows) {
          await book.of(network, account)
          await pool.query('delete from deposit_address_requests where network = $1 and account = $2', [network, account])
        }
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
    }
    const working = work()
    return async () => {
      isOn = false
      await working
    }
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}
