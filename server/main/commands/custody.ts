import { join, resolve } from 'node:path'
import { terminal } from '../../chains/signer/terminal.ts'
import { type CliCommand, CommandFault, type Input, optional } from '../command.ts'

const folderOf = ({ operands: [folder] }: Input): string => resolve(folder as string)

const policyKeyName = 'policy-key.json'

/** Words and passphrases are shown and typed: never through a pipe, which may end in a file. throws  CommandFault without a terminal */
function needTerminal(): void {
  if (!process.stdin.isTTY || !process.stderr.isTTY)
    throw new CommandFault('This command needs a terminal: words and passphrases are never piped')
}

export const initCustody: CliCommand = {
  name: 'custody init',
  about: 'Make the keys of a signer: show the backup words of each role once, ask for them again, and write the encrypted key files',
  operands: ['FOLDER'],
  options: { restore: { type: 'boolean', about: 'type the words of an earlier ceremony instead of drawing new ones' } },
  async run(input) {
    needTerminal()
    // Loaded here, because no other command needs the libraries of chains.
    const { holdCeremony, publicName } = await import('../../chains/signer/ceremony.ts')
    const folder = folderOf(input)
    const shown = await holdCeremony({ folder, terminal, isRestored: input.options['restore'] === true })
    const lines = [
      `Keys are in ${folder}. ${publicName} holds what other programs may know.`,
      `Next: move ${policyKeyName} off this machine, fill in policy.draft.json, save it as policy.json, and sign it with: candor custody policy`,
    ]
    return { json: shown, lines }
  },
}

export const nameSuccessor: CliCommand = {
  name: 'custody successor',
  about: 'Sign, with the key by which this folder’s signer signs deposit addresses, the key of the signer that comes after it',
  operands: ['FOLDER', 'KEY'],
  options: {},
  async run(input) {
    needTerminal()
    const to = input.operands[1] as string
    if (!/^[0-9a-f]{64}$/.test(to)) throw new CommandFault('KEY is the walletKey of the new signer’s public.json: 64 digits')
    const { openGround } = await import('../../chains/signer/file-signer.ts')
    const { keyChangeOf } = await import('../../chains/signer/wallet.ts')
    const { walletSeed } = await openGround(folderOf(input), await terminal.askHidden('Passphrase of the key files: '))
    const change = keyChangeOf(walletSeed, to)
    walletSeed.fill(0)
    return { json: change, lines: ['Add this to walletKeyChanges of chains.json:', JSON.stringify(change)] }
  },
}

export const signCustodyPolicy: CliCommand = {
  name: 'custody policy',
  about: 'Sign policy.json of a folder with the key of its owner; the signer reads it at its next start',
  operands: ['FOLDER'],
  options: { key: { type: 'string', value: 'FILE', about: `the owner's key file; without it ${policyKeyName} of the folder` } },
  async run(input) {
    needTerminal()
    const { signPolicy } = await import('../../chains/signer/policy-file.ts')
    const folder = folderOf(input)
    const key = resolve(optional(input, 'key') ?? join(folder, policyKeyName))
    const version = await signPolicy(folder, key, await terminal.askHidden('Passphrase of the owner’s key file: '))
    return { json: { version }, lines: [`Policy ${version} is signed. The signer uses it from its next start.`] }
  },
}

export const drawAnchorKey: CliCommand = {
  name: 'custody anchor',
  about: 'Draw the key that writes the newest head of the journal to a network, and print its address; it has no backup words',
  operands: ['FOLDER', 'NETWORK'],
  options: {},
  async run(input) {
    needTerminal()
    const { openGround } = await import('../../chains/signer/file-signer.ts')
    const { drawAnchor } = await import('../../chains/signer/ceremony.ts')
    const folder = folderOf(input)
    const network = input.operands[1] as string
    const passphrase = await terminal.askHidden('Passphrase of the key files: ')
    // With another passphrase the signer could not open it.
    const { walletSeed } = await openGround(folder, passphrase)
    walletSeed.fill(0)
    const address = await drawAnchor(folder, network, passphrase)
    const lines = [
      `The key is in ${folder}. Its address is ${address}: fund it with the fees of some weeks.`,
      `Name it as anchor of ${network} in the policy and in chains.json, and restart the signer and the exchange.`,
    ]
    return { json: { network, address }, lines }
  },
}
