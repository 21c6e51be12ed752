import { randomBytes } from 'node:crypto'
import { parseUnits } from '@candor/core/money/units.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import type { Link } from '../engine/link.ts'
import { certify } from './certified.ts'
import { faucetTerms } from './defaults.ts'
import { type Ground, makeIdentity } from './roles.ts'

export type BotCredentials = { readonly email: string; readonly password: string }

const emails = ['bots-one@candor.invalid', 'bots-two@candor.invalid'] as const
const hedgerEmail = 'hedger@candor.invalid'
/** Bots' funds, as a multiple of one press of the faucet button. */
const funds = 400

/**
 * Prepares the two users as which the liquidity bots trade. They are of class `maker`, have practice funds, and count as the
 * house's own, so that their trades with each other add no volume.
 */
export async function prepareBots(ground: Ground, link: Link): Promise<readonly BotCredentials[]> {
  const silent = { send: () => Promise.resolve() }
  await using identity = makeIdentity(ground, link, silent)
  const credentials: BotCredentials[] = []
  for (const email of emails) {
    const password = randomBytes(24).toString('base64url')
    const { account, user } = await identity.createUser({ email, password, class: 'maker', replacesPassword: true })
    await certify(link.submit, identity, account, user as UserId)
    await link.submit({ type: 'user.house', user: user as UserId, isHouse: true })
    await fund(link, user as UserId)
    credentials.push({ email, password })
  }
  return credentials
}

/** Tops an account up to half of its initial funds, so that bots that lost money can quote after a restart. */
async function fund(link: Link, user: UserId): Promise<void> {
  const { assets } = await link.ask.listing()
  const balances = await link.ask.balances(user)
  for (const { asset: symbol, amount } of faucetTerms) {
    const asset = assets.find((one) => one.symbol === symbol)
    const press = asset && parseUnits(amount, asset.scale)
    if (!asset || !press) continue
    const has = balances
      .filter(({ account }) => 'user' in account && account.kind === 'spot' && account.asset === asset.id)
      .reduce((sum, { available, held }) => sum + available + held, 0)
    if (has * 2 >= press * funds) continue
    const clientId = `bots-${Date.now().toString(36)}-${symbol}`
    await link.submit({ type: 'funds.faucet', user, clientId, asset: asset.id, amount: (press * funds - has) as typeof press })
  }
}

/**
 * Prepares the account that brings the inventory of conversions back to its targets, and names it in their terms. It is of the house and
 * has no funds of its own.
 */
export async function prepareHedger(ground: Ground, link: Link): Promise<BotCredentials | undefined> {
  const terms = await link.ask.convertTerms()
  if (terms === null) return undefined
  await using identity = makeIdentity(ground, link, { send: () => Promise.resolve() })
  const password = randomBytes(24).toString('base64url')
  const { account, user } = await identity.createUser({ email: hedgerEmail, password, class: 'maker', replacesPassword: true })
  const hedger = user as UserId
  // Somebody has named another account.
  if (terms.hedger !== 0 && terms.hedger !== hedger) return undefined
  await certify(link.submit, identity, account, hedger)
  await link.submit({ type: 'user.house', user: hedger, isHouse: true })
  if (terms.hedger === 0) await link.submit({ type: 'convert.setTerms', terms: { ...terms, hedger } })
  return { email: hedgerEmail, password }
}
