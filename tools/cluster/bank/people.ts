/** The bank's customers, made from the inside as an operator would. */
import type { Units } from '@candor/core/money/brand.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { certify } from '../../../server/main/certified.ts'
import { withExchange } from '../../../server/main/command.ts'
import { makeIdentity } from '../../../server/main/roles.ts'
import { readSettings } from '../../../server/main/settings.ts'
import { Program } from './program.ts'

const funds = { USDT: 1_000_000, BTC: 20 }
const visitor = { ip: '127.0.0.1', userAgent: 'cluster', deviceKey: undefined }

/**
 * Customers with money and a key for programs.
 *
 * environment  settings of a machine on which an engine can be reached
 * mark         part of their addresses; differs between calls
 */
export async function makeCustomers(
  environment: Readonly<Record<string, string>>,
  entries: readonly string[],
  { count, mark }: { readonly count: number; readonly mark: string },
): Promise<readonly Program[]> {
  return withExchange(readSettings(environment, environment['CANDOR_DATA']), async (link, ground) => {
    await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
    const { assets } = await link.ask.listing()
    const programs: Program[] = []
    for (let i = 0; i < count; i++) {
      const email = `bank-${mark}-${i}@bank.example`
      // Of other classes, cancelled orders are not listed.
      const { user, account } = await identity.createUser({ email, password: 'correct horse battery staple', class: 'retail' })
      await certify(link.submit, identity, account, user as UserId)
      for (const [symbol, whole] of Object.entries(funds)) {
        const asset = assets.find((one) => one.symbol === symbol)!
        const amount = (10 ** asset.scale * whole) as Units
        await link.submit({ type: 'funds.faucet', user: user as UserId, clientId: `bank-${symbol}`, asset: asset.id, amount })
      }
      const terms = { label: 'bank', scopes: ['read', 'trade'], ips: [] } as const
      const { key, secret } = await identity.keys.grant(terms, { account, visitor })
      programs.push(new Program(entries, { key: key.key, secret: secret! }, i))
    }
    return programs
  })
}

/** Price of BTC in whole USDT. */
export async function priceAt(entry: string): Promise<number> {
  const { price } = (await (await fetch(`${entry}/api/v3/avgPrice?symbol=BTCUSDT`)).json()) as { price: string }
  return Number(price)
}
