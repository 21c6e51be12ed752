/**
 * Messages sent to sockets per CPU-second: our fan-out compared with a naive loop of `ws.send(JSON.stringify(…))`, with the same
 * messages and sockets, in turns. `--sockets N` (default 10,000), `--rounds N` (default 5), `--json`.
 */
import { resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { Crowd } from './fanout/crowd.ts'
import { kinds } from './fanout/messages.ts'

const { values } = parseArgs({
  options: {
    sockets: { type: 'string', default: '10000' },
    rounds: { type: 'string', default: '5' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const rounds = Number(values.rounds)
const ticks = { ours: 12, naive: 3 }

const crowd = await Crowd.start(resolve(import.meta.dirname, '..', '..'), Number(values.sockets))
await crowd.ours(2)
await crowd.naive(1)
const ours: number[] = []
const naive: number[] = []
for (let round = 0; round < rounds; round++) {
  ours.push(await crowd.ours(ticks.ours))
  naive.push(await crowd.naive(ticks.naive))
}
const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)]!
const value = Math.round(median(ours))
const yardstick = Math.round(median(naive))
const ratio = Number((value / yardstick).toFixed(2))

process.stdout.write(`fan-out to ${crowd.size} sockets, ${kinds.length} messages each per tick, ${rounds} rounds, medians\n`)
process.stdout.write(`  ours   ${value.toLocaleString('en')} messages per CPU-second\n`)
process.stdout.write(`  naive  ${yardstick.toLocaleString('en')} messages per CPU-second: ws.send(JSON.stringify(…)) in a loop\n`)
process.stdout.write(`  ratio  ${ratio} (floor 4, aim 8)\n`)
if (values.json) {
  const results = { sockets: crowd.size, messagesPerSocketAndTick: kinds.length, ours: ours.map(Math.round), naive: naive.map(Math.round) }
  process.stdout.write(`${JSON.stringify({ name: 'fanout', value, yardstick, ratio, unit: 'messages per CPU-second', results })}\n`)
}
process.exit(0)
