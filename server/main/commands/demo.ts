import { type CliCommand, CommandFault, optional, UsageFault, withExchange } from '../command.ts'
import { fillDemo } from '../demo/fill.ts'
import { demoStates } from '../demo/people.ts'

const usualCount = 40
const countMax = 2_000

export const demo: CliCommand = {
  name: 'demo',
  about: 'Fill a sandbox with customers in every state, for operators who learn by doing; again: add those that are missing',
  operands: [],
  options: { count: { type: 'string', value: 'N', about: `number of customers, at most ${countMax} (default ${usualCount})` } },
  run(input) {
    const given = optional(input, 'count') ?? String(usualCount)
    const count = /^[0-9]{1,4}$/.test(given) ? Number(given) : 0
    if (count < 1 || count > countMax) throw new UsageFault(`--count must be a number from 1 to ${countMax}`)
    return withExchange(input.settings, async (link, ground) => {
      if (ground.settings.mode !== 'sandbox') throw new CommandFault('The demonstration works only in the sandbox')
      const { password, counts, hasTraded } = await fillDemo(ground, link, count)
      const added = demoStates.filter((state) => counts[state] > 0)
      const lines = added.map((state) => `${String(counts[state]).padStart(5)}  ${state}`)
      if (added.length > 0) lines.push(`Their addresses end in @demo.example, their password is ${password}`)
      else lines.push('All of them exist already')
      if (!hasTraded) lines.push('There is no price yet, so nobody has traded')
      return { json: { ...counts, hasTraded, ...(added.length > 0 ? { password } : {}) }, lines }
    })
  },
}
