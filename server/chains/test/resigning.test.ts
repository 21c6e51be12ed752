/** Deposit addresses after a change of the wallet service's key, on both networks. */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, test } from 'node:test'
import { HDKey } from '@scure/bip32'
import { type ScratchServer, startScratchServer } from '../../store/test/scratch.ts'
import { AddressBook } from '../addresses/book.ts'
import { KnownAddresses } from '../addresses/known.ts'
import { Resigner } from '../addresses/resigner.ts'
import type { WalletService } from '../addresses/wallet.ts'
import { forwarderAddress } from '../evm/forwarder.ts'
import { type Reason, SignerRefused } from '../signer/reasons.ts'
import { keyChangeOf, Wallet, walletKeyOf } from '../signer/wallet.ts'
import { uid } from './world.ts'

const factory = '0x0000000000000000000000000000000000000012'
const xpubOf = (): string => HDKey.fromMasterSeed(randomBytes(32)).derive("m/44'/195'/0'").publicExtendedKey
const xpub = xpubOf()
const networks = ['ethereum', 'tron'] as const

let server: ScratchServer
before(async () => void (server = await startScratchServer()))
after(() => server[Symbol.asyncDispose]())

/** A wallet service in this process. `fails`: what it throws before it answers. */
function walletOf(seed: Uint8Array, plan = xpub, fails: Error[] = []): WalletService & { readonly asked: string[] } {
  const wallet = new Wallet(seed, [
    { name: 'ethereum', chainId: 1, deposits: { factory } },
    { name: 'tron', chainId: 2, deposits: { xpub: plan } },
  ])
  const asked: string[] = []
  const issue: WalletService['issue'] = async (about) => {
    asked.push(`${about.network} ${about.place}`)
    const fault = fails.shift()
    if (fault !== undefined) throw fault
    const { address, signature } = wallet.issue(about)
    return { address, signature: Uint8Array.from(Buffer.from(signature, 'hex')) }
  }
  return { issue, asked }
}

const seeds = [randomBytes(32), randomBytes(32), randomBytes(32)] as const
const [first, second, third] = seeds
const keys = seeds.map(walletKeyOf)
const changes = [keyChangeOf(first, keys[1]!), keyChangeOf(second, keys[2]!)]

/** Five customers with an address on each network, signed with the first key. */
async function issued() {
  const store = await server.store()
  const { pool } = store
  const walletKey = Uint8Array.from(Buffer.from(keys[0]!, 'hex'))
  const book = new AddressBook({ pool, wallet: walletOf(first), walletKey, clock: () => 5 })
  const accounts = [1, 2, 3, 4, 5].map(() => randomUUID())
  for (const [at, id] of accounts.entries()) {
    await pool.query(
      `insert into accounts (id, uid, core_user, email, password, password_changed_at, lang, invitation_code, class, created_at)
       values ($1, $2, $3, $4, '', 0, 'en', $2, 'retail', 0)`,
      [id, uid(at + 1), at + 1, `a${at}@example.com`],
    )
    for (const network of networks) await book.of(network, id)
  }
  const log: string[] = []
  const resigner = (wallet: WalletService, change: Partial<ConstructorParameters<typeof Resigner>[0]> = {}) =>
    new Resigner({ ...{ pool, wallet, walletKey: keys[2]!, changes, log: ({ message }) => void log.push(message), batch: 3 }, ...change })
  const known = new KnownAddresses(pool, Uint8Array.from(Buffer.from(keys[2]!, 'hex')))
  /** Which addresses the third key has signed. */
  const shown = async () => {
    const found: string[] = []
    for (const network of networks)
      for (const [at, id] of accounts.entries()) {
        const address = await known.of(network, id).catch(() => undefined)
        if (address !== undefined) found.push(`${network} ${at + 1}`)
      }
    return found
  }
  return { store, pool, accounts, log, resigner, shown }
}
const all = networks.flatMap((network) => [1, 2, 3, 4, 5].map((place) => `${network} ${place}`))

async function run(resigner: Resigner): Promise<void> {
  while (await resigner.turn());
}

test('DEPOSIT-ADDRESS-009: after changes of the wallet’s key, addresses of both networks are computed and signed again, in batches', async () => {
  const { store, pool, log, resigner, shown } = await issued()
  await using _ = store
  const addresses = async () => (await pool.query('select network, place, address from deposit_addresses order by 1, 2')).rows
  const before = await addresses()
  assert.deepEqual(await shown(), [])
  await run(resigner(walletOf(third), { changes: [] }))
  await run(resigner(walletOf(third), { changes: changes.slice(1) }))
  assert.deepEqual(await shown(), [])
  const one = resigner(walletOf(third))
  assert.equal(await one.turn(), true)
  assert.deepEqual(await shown(), all.slice(0, 3))
  // The process ends, and the next one begins anew.
  const wallet = walletOf(third)
  await run(resigner(wallet))
  assert.deepEqual(await shown(), all)
  assert.deepEqual(wallet.asked, all.slice(3))
  assert.deepEqual(await addresses(), before)
  assert.deepEqual(log.slice(-1), ['Deposit addresses that were signed with the new key: 7'])
})

test('DEPOSIT-ADDRESS-009: a signer that can’t answer now is asked again for the same address', async () => {
  const { store, resigner, shown } = await issued()
  await using _ = store
  const away = [new Error('away'), new SignerRefused('BUSY'), new SignerRefused('HALTED')]
  const one = resigner(walletOf(third, xpub, [...away]))
  for (const _fault of away) await assert.rejects(one.turn())
  await run(one)
  assert.deepEqual(await shown(), all)
})

test('DEPOSIT-ADDRESS-010: nothing is signed again for a row that somebody changed, nor where the policy leads to another address', async () => {
  const { store, pool, accounts, log, resigner, shown } = await issued()
  await using _ = store
  const change = (text: string, place: number, ...values: readonly unknown[]) =>
    pool.query(`update deposit_addresses set ${text} where network = 'ethereum' and place = $1`, [place, ...values])
  // The address of a thief, the customer's address in a thief's account, no signature, and a place of somebody else.
  await change('address = $2', 1, forwarderAddress({ chainId: 1, factory }, 99))
  await pool.query(`delete from deposit_addresses where network = 'ethereum' and place = 3`)
  await change('account = $2, user_no = 3', 2, accounts[2])
  await change('signature = $2', 4, Buffer.alloc(64))
  await change('place = 77', 5)
  const wallet = walletOf(third, xpubOf())
  await run(resigner(wallet))
  assert.deepEqual(await shown(), [])
  assert.deepEqual(wallet.asked, ['ethereum 77', ...all.slice(5)])
  assert.deepEqual(log, ['Deposit addresses that no key signed as they stand, or that the policy does not lead to: 9'])
})

for (const reason of ['PLACE_TAKEN', 'NO_ADDRESSES'] as readonly Reason[]) {
  test(`DEPOSIT-ADDRESS-010: an address that the signer refuses with ${reason} keeps nobody else’s from being signed`, async () => {
    const { store, resigner, shown } = await issued()
    await using _ = store
    await run(resigner(walletOf(third, xpub, [new SignerRefused(reason)])))
    assert.deepEqual(await shown(), all.slice(1))
  })
}
