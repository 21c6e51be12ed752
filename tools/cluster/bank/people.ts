/** The bank's customers, made from the inside as an operator would. */
import type { Units } from '@candor/core/money/brand.ts'
import { readHeadText } from '@candor/core/proof/head.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { certify } from '../../../server/main/certified.ts'
import { withExchange } from '../../../server/main/command.ts'
import { makeIdentity } from '../../../server/main/roles.ts'
import { readSettings } from '../../../server/main/settings.ts'
import { lastHead } from '../../../server/store/query/proof/heads.ts'
import { until } from '../machines/until.ts'
import { Program } from './program.ts'

const funds = { USDT: 1_000_000, BTC: 20 }
const visitor = { ip: '127.0.0.1', userAgent: 'cluster', deviceKey: undefined }

export type Credentials = { readonly key: string; readonly secret: string }

/** The programs of retail customers, whose cancelled orders are listed, too. Options as for `makeAccounts`. */
export async function makeCustomers(
  environment: Readonly<Record<string, string>>,
  entries: readonly string[],
  options: Omit<AccountOptions, 'userClass'>,
): Promise<readonly Program[]> {
  const accounts = await makeAccounts(environment, { ...options, userClass: 'retail' })
  return accounts.map((one, i) => new Program(entries, one, i))
}

/** `mark`: part of their addresses; differs between calls. */
export type AccountOptions = { readonly count: number; readonly mark: string; readonly userClass: 'retail' | 'bench' }

/**
 * Accounts with money and a key for programs.
 *
 * environment  settings of a machine on which an engine can be reached
 */
export async function makeAccounts(
  environment: Readonly<Record<string, string>>,
  { count, mark, userClass }: AccountOptions,
): Promise<readonly Credentials[]> {
  return withExchange(readSettings(environment, environment['CANDOR_DATA']), async (link, ground) => {
    await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
    const { assets } = await link.ask.listing()
    const made: Credentials[] = []
    for (let i = 0; i < count; i++) {
      const email = `bank-${mark}-${i}@bank.example`
      const { user, account } = await identity.createUser({ email, password: 'correct horse battery staple', class: userClass })
      await certify(link.submit, identity, account, user as UserId)
      for (const [symbol, whole] of Object.entries(funds)) {
        const asset = assets.find((one) => one.symbol === symbol)!
        const amount = (10 ** asset.scale * whole) as Units
        await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: `bank-${symbol}`, asset: asset.id, amount })
      }
      const terms = { label: 'bank', scopes: ['read', 'trade'], ips: [] } as const
      const { key, secret } = await identity.keys.grant(terms, { account, visitor })
      made.push({ key: key.key, secret: secret! })
    }
    return made
  })
}

const aheadMaxMs = 600_000

/**
 * Waits until the tables have all that the engine has decided, and a signed head covers it, with which the receipts of orders are made.
 *
 * environment  as for `makeAccounts`
 */
export async function untilSigned(environment: Readonly<Record<string, string>>): Promise<void> {
  await withExchange(readSettings(environment, environment['CANDOR_DATA']), async (link, { store }) => {
    const decided = await link.ask.seq()
    await until('a head covers all orders', aheadMaxMs, async () => {
      const head = await lastHead(store.pool)
      return head !== undefined && readHeadText(head.text)!.seq >= decided
    })
  })
}

/** Price of BTC in whole USDT. */
export async function priceAt(entry: string): Promise<number> {
  const { price } = (await (await fetch(`${entry}/api/v3/avgPrice?symbol=BTCUSDT`)).json()) as { price: string }
  return Number(price)
}
