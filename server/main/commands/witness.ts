import { acceptDatabase, nameOf } from '../../journal/witness.ts'
import { type CliCommand, CommandFault, withStore } from '../command.ts'
import { isRunning } from '../lock.ts'
import { witnessFolderOf } from '../settings.ts'

export const acceptWitness: CliCommand = {
  name: 'witness accept',
  about: 'Accept a database that was rolled back; what was acknowledged beyond it is lost',
  operands: [],
  options: {},
  async run({ settings }) {
    if (await isRunning(settings.dataFolder)) throw new CommandFault('The exchange is running: stop it first')
    return withStore(settings, async ({ pool }) => {
      const { before, now } = await acceptDatabase(pool, witnessFolderOf(settings))
      const lines = [`Accepted: the journal ends at ${nameOf(now)}. The next epoch is above ${now.epoch}.`]
      if (before === undefined) lines.push('There was no readable witness: what was acknowledged beyond the journal is unknown.')
      if (before !== undefined && before.seq > now.seq) lines.push(`Acknowledged before, and lost: up to ${nameOf(before)}.`)
      const told = (head: typeof now) => ({ epoch: head.epoch, seq: head.seq, hash: Buffer.from(head.hash).toString('hex') })
      return { json: { now: told(now), before: before === undefined ? null : told(before) }, lines }
    })
  },
}
