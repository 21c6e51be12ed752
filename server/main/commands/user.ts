import type { UserClass } from '@candor/core/protocol/command/user.ts'
import { countries } from '@candor/core/protocol/countries.ts'
import { userClasses } from '@candor/core/protocol/command/user.ts'
import type { UserId } from '@candor/core/protocol/ids.ts'
import { formatUnits } from '@candor/core/money/units.ts'
import { parseAddress } from '../../identity/address.ts'
import { identityDb } from '../../identity/tables.ts'
import { Refused } from '../../refused.ts'
import type { Store } from '../../store/open.ts'
import { type CliCommand, CommandFault, optional, text, UsageFault, withExchange } from '../command.ts'
import { certify } from '../certified.ts'
import { passwordOf, refuseArgument } from '../password-input.ts'
import { makeIdentity } from '../roles.ts'

const silent = { send: () => Promise.resolve() }

export const createUser: CliCommand = {
  name: 'user create',
  about: 'Open an account without a confirmation code',
  operands: [],
  options: {
    email: { type: 'string', value: 'E', about: 'email address of the account', isRequired: true },
    password: { type: 'string', value: 'P', about: '8 to 128 characters; read from standard input if omitted, as production requires' },
    class: { type: 'string', value: 'CLASS', about: `class, which sets the limits: ${userClasses.join(', ')} (default retail)` },
    country: { type: 'string', value: 'CC', about: 'country of residence, two letters; the owner is asked in the app if omitted' },
    certified: { type: 'boolean', about: 'treat the user as verified; sandbox only' },
  },
  async run(input) {
    const email = text(input, 'email')
    const password = await passwordOf(input)
    const userClass = optional(input, 'class') ?? 'retail'
    if (!(userClasses as readonly string[]).includes(userClass)) throw new UsageFault(`--class must be one of ${userClasses.join(', ')}`)
    const country = optional(input, 'country')
    if (country !== undefined && !countries.includes(country)) throw new UsageFault('--country must be two capital letters of ISO 3166')
    const isCertified = input.options['certified'] === true
    return withExchange(input.settings, async (link, ground) => {
      const { mode } = ground.settings
      if (isCertified && mode !== 'sandbox') throw new CommandFault('--certified works only in the sandbox')
      if (userClass === 'bench' && mode !== 'sandbox') throw new CommandFault('--class bench works only in the sandbox')
      refuseArgument(input, mode)
      await using identity = makeIdentity(ground, link, silent)
      const created = await identity.createUser({ email, password, class: userClass as UserClass, country })
      if (!created.isNew) throw new CommandFault(`An account for ${email} already exists (UID ${created.uid})`)
      if (isCertified) {
        await certify(link.submit, identity, created.account, created.user as UserId)
      }
      return { json: { uid: created.uid, user: created.user }, lines: [`UID ${created.uid}`] }
    })
  },
}

export const showUser: CliCommand = {
  name: 'user show',
  about: 'Show an account and its balances',
  operands: [],
  options: { email: { type: 'string', value: 'E', about: 'email address of the account', isRequired: true } },
  async run(input) {
    const email = text(input, 'email')
    return withExchange(input.settings, async (link, { store }) => {
      const account = await findAccount(store, email)
      const { assets } = await link.ask.listing()
      const balances = (await link.ask.balances(account.user)).flatMap(({ account: ref, available, held }) => {
        const asset = assets.find((one) => one.id === ref.asset)
        if (!asset || !('user' in ref)) return []
        return [
          { kind: ref.kind, asset: asset.symbol, available: formatUnits(available, asset.scale), held: formatUnits(held, asset.scale) },
        ]
      })
      const { uid, lang, class: userClass, certification } = account
      return {
        json: { uid, user: account.user, email, lang, class: userClass, certification, balances },
        lines: [
          `UID ${uid}, ${email}, ${userClass}, ${lang}, verification: ${certification}`,
          ...balances.map(({ kind, asset, available, held }) => `  ${kind} ${asset}: ${available} available, ${held} held`),
        ],
      }
    })
  },
}

export const houseUser: CliCommand = {
  name: 'user house',
  about: 'Mark the account of the firm itself: it can pay into the house fund, and trades only as the house',
  operands: ['EMAIL'],
  options: { off: { type: 'boolean', about: 'it is a customer’s account again' } },
  run: (input) =>
    withExchange(input.settings, async (link, { store, settings: { mode } }) => {
      const { uid, user, class: userClass } = await findAccount(store, input.operands[0]!)
      if (mode !== 'sandbox' && userClass === 'retail')
        throw new CommandFault('In production no customer’s account becomes the firm’s: create one with --class=maker')
      const isHouse = input.options['off'] !== true
      const { refusal, seq } = await link.submit({ type: 'user.house', user, isHouse })
      if (refusal) throw new Refused(refusal)
      return { json: { uid, isHouse, seq }, lines: [`UID ${uid} is ${isHouse ? 'an' : 'no'} account of the house`] }
    }),
}

/** throws  CommandFault when no account has this address */
export async function findAccount(store: Store, email: string) {
  const { value } = parseAddress('email', email)
  const row = await identityDb(store)
    .selectFrom('accounts')
    .select(['id', 'uid', 'core_user', 'lang', 'class', 'certification'])
    .where('email', '=', value)
    .executeTakeFirst()
  if (!row || row.core_user === null) throw new CommandFault(`There is no account for ${email}`)
  return { ...row, user: row.core_user as UserId }
}
