/**
 * One side of `against.ts` here: runs the exchange of this or another clone and answers each request of its parent, the number of a way
 * to send orders, with what `seconds` of driving it that way gave. It names the ways in its first message.
 * Before it answers, its database does what it would otherwise do in the background while the other side is measured.
 *
 *   side.ts CLONE SECONDS [PART-OF-A-WAY'S-NAME]
 */
import { type CpuSeconds, cpuBetween, cpuSeconds } from '../cpu.ts'
import { withExchange } from './exchange.ts'

/** `micros`: processor time per order by process, of the exchange and of the programs. Empty where it can't be known. */
export type Driven = { readonly perSecond: number; readonly micros: CpuSeconds }

const [clone, seconds, only] = [process.argv[2]!, Number(process.argv[3]), process.argv[4] ?? '']

await withExchange(clone, only, async ({ ways, folder, store, settle }) => {
  let round = 0
  const run = async (way: number): Promise<Driven> => {
    const mark = `r${round++}`
    const before = cpuSeconds(folder)
    const { perSecond } = await ways[way]!.drive(mark, seconds)
    const after = cpuSeconds(folder)
    await settle(mark)
    await store.pool.query('vacuum')
    await store.pool.query('checkpoint')
    const used = before === undefined || after === undefined ? {} : cpuBetween(before, after)
    const micros = Object.entries(used).map(([owner, time]) => [owner, (time / (perSecond * seconds)) * 1e6])
    return { perSecond, micros: Object.fromEntries(micros) }
  }
  const { promise: isOver, resolve: end } = Promise.withResolvers<void>()
  process.on('message', (way: number | 'end') => {
    if (way === 'end') return end()
    run(way).then(
      (driven) => process.send!(driven),
      (cause: unknown) => {
        console.error(cause)
        process.exit(1)
      },
    )
  })
  process.send!(ways.map(({ name }) => name))
  await isOver
})
process.disconnect!()
