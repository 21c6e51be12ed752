import { randomUUID } from 'node:crypto'
import { formatUnits, parseUnits } from '@candor/core/money/units.ts'
import { Refused } from '../../refused.ts'
import { type CliCommand, CommandFault, text, UsageFault, withExchange } from '../command.ts'
import { findAccount } from './user.ts'

export const faucet: CliCommand = {
  name: 'faucet',
  about: 'Credit practice funds to a spot account by a journaled command; sandbox only',
  operands: [],
  options: {
    email: { type: 'string', value: 'E', about: 'email address of the account', isRequired: true },
    asset: { type: 'string', value: 'A', about: 'e.g. USDT', isRequired: true },
    amount: { type: 'string', value: 'X', about: 'e.g. 1000.5', isRequired: true },
  },
  async run(input) {
    const symbol = text(input, 'asset').toUpperCase()
    const amountText = text(input, 'amount')
    return withExchange(input.settings, async (link, { settings, store }) => {
      if (settings.mode !== 'sandbox') throw new CommandFault('The faucet works only in the sandbox')
      const { user, uid } = await findAccount(store, text(input, 'email'))
      const asset = (await link.ask.listing()).assets.find((one) => one.symbol === symbol)
      if (!asset) throw new Refused('ASSET_UNKNOWN')
      const amount = parseUnits(amountText, asset.scale)
      if (amount === undefined || amount <= 0)
        throw new UsageFault(`--amount must be a positive amount of ${symbol} (at most ${asset.scale} decimal places)`)
      const outcome = await link.submit({ type: 'funds.faucet', user, clientId: randomUUID(), asset: asset.id, amount })
      if (outcome.refusal) throw new Refused(outcome.refusal)
      const shown = formatUnits(amount, asset.scale)
      return { json: { uid, asset: symbol, amount: shown, seq: outcome.seq }, lines: [`Credited ${shown} ${symbol} to UID ${uid}`] }
    })
  },
}
