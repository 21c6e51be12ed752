import { acceptDatabase, nameOf } from '../../journal/witness.ts'
import { type CliCommand, CommandFault, withStore } from '../command.ts'
import { isRunning } from '../lock.ts'
import { witnessFolderOf } from '../settings.ts'

export const acceptWitness: CliCommand = {
  name: 'witness accept',
  about: 'Accept a database restored to an earlier state; commands acknowledged after that state are lost',
  operands: [],
  options: {},
  async run({ settings }) {
    if (await isRunning(settings.dataFolder)) throw new CommandFault('The exchange is running: stop it first')
    return withStore(settings, async ({ pool }) => {
      const { before, now } = await acceptDatabase(pool, witnessFolderOf(settings))
      const lines = [`Accepted: the journal ends at ${nameOf(now)}. The next epoch is above ${now.epoch}.`]
      if (before === undefined) lines.push('No witness could be read: whether later commands were acknowledged is unknown.')
      if (before !== undefined && before.seq > now.seq) lines.push(`Acknowledged but lost: everything up to ${nameOf(before)}.`)
      const shown = (head: typeof now) => ({ epoch: head.epoch, seq: head.seq, hash: Buffer.from(head.hash).toString('hex') })
      return { json: { now: shown(now), before: before === undefined ? null : shown(before) }, lines }
    })
  },
}
