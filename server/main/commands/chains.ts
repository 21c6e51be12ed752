import { asNetworkWrites } from '../../chains/config.ts'
import { chainsOf } from '../chains/config.ts'
import { type CliCommand, CommandFault, optional } from '../command.ts'

export const checkToken: CliCommand = {
  name: 'chains check',
  about: 'Look at a token’s contract on a network of the file of networks, and say whether it is credited and paid',
  operands: ['NETWORK', 'CONTRACT'],
  options: { holder: { type: 'string', value: 'ADDRESS', about: 'on TRON: somebody who has some of it, by whom a transfer is tried' } },
  async run(input) {
    const [name, given] = input.operands as readonly [string, string]
    const config = chainsOf(input.settings)
    if (config === undefined) throw new CommandFault('The setting CANDOR_CHAINS is missing: it names the folder with the file of networks')
    const network = config.networks.find((one) => one.name === name)
    if (network === undefined)
      throw new CommandFault(`There is no network ${name}; there are ${config.networks.map((one) => one.name).join(', ')}`)
    // Loaded here, because no other command needs the libraries of chains.
    const gate = await import('../../chains/tokens/gate.ts')
    const { linesOf } = await import('../../chains/tokens/traits.ts')
    const contract = asNetworkWrites(network.kind, given)
    const holder = optional(input, 'holder')
    const expected = gate.expectedOf(network).get(contract)
    const report = await gate.checkToken(network, contract, { expected, holders: holder === undefined ? [] : [holder] })
    const lines = [...linesOf(report), ...(expected === undefined ? ['  It is not in the file of networks.'] : [])]
    return { json: report, lines, isFailure: report.verdict !== 'accepted' }
  },
}
