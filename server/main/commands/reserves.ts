import { possessionText } from '@candor/core/proof/chain/possession.ts'
import { type CliCommand, CommandFault, type Input, withStore } from '../command.ts'
import { chainsOf } from '../chains/config.ts'

function configOf({ settings }: Input) {
  const config = chainsOf(settings)
  if (config === undefined) throw new CommandFault('The setting CANDOR_CHAINS is missing: it names the folder with the file of networks')
  return config
}

export const coldMessage: CliCommand = {
  name: 'reserves message',
  about: 'Print the message that each cold address signs once a month, so that its coins count as reserves',
  operands: [],
  options: {},
  run: (input) =>
    withStore(input.settings, async ({ pool }) => {
      // Loaded here, because no other command needs the libraries of chains.
      const { coldMessages } = await import('../../chains/reserves/cold.ts')
      const messages = (await coldMessages(pool, configOf(input), Date.now())).map(({ network, about }) => ({
        ...{ network, address: about.address, text: possessionText(about) },
      }))
      if (messages.length === 0)
        throw new CommandFault(
          'No head of today names a statement of liabilities yet. The first one does some minutes after midnight (UTC).',
        )
      return {
        json: { messages },
        lines: messages.flatMap(({ network, address, text }) => [`${network}, to be signed by ${address}:`, '', text, '']),
      }
    }),
}

export const submitColdSignature: CliCommand = {
  name: 'reserves submit',
  about: 'Check the signature of a cold address and store it: it counts for 35 days, from the next statement of reserves on',
  operands: ['NETWORK', 'SIGNATURE'],
  options: {},
  run: (input) =>
    withStore(input.settings, async ({ pool }) => {
      const { submitCold } = await import('../../chains/reserves/cold.ts')
      const [network, signature] = input.operands as readonly [string, string]
      const day = await submitCold(pool, configOf(input), { network, signature }, Date.now())
      return {
        json: { network, day },
        lines: [`The signature of ${day} is right. Statements of reserves count the address from the next one on.`],
      }
    }),
}
