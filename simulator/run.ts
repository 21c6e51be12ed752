/**
 * `npm run sim -- [seed] [--steps N] [--seeds N]`: without a seed, the kept seeds and then new ones from 1. Prints a
 * line per run; a failing one with its seed, step and the shortest list of commands found. Exit code 1 when one fails.
 */
import { readFileSync } from 'node:fs'
import { parseArgs } from 'node:util'
import { simulateAndShrink } from './simulate.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { steps: { type: 'string', default: '5000' }, seeds: { type: 'string', default: '10' } },
})

const steps = wholeNumber(values.steps, '--steps')
let failures = 0
for (const seed of seedsToRun()) {
  const began = performance.now()
  const result = simulateAndShrink(seed, steps)
  const seconds = ((performance.now() - began) / 1000).toFixed(1)
  if ('hash' in result) {
    console.log(`seed ${seed}: ${result.steps} steps, ${result.trades} trades, state ${result.hash.slice(0, 16)}, ${seconds} s`)
    continue
  }
  failures++
  console.error(`seed ${seed} FAILED at step ${result.step}: ${result.message}`)
  console.error(`${result.steps.length} commands that fail (keep the seed in simulator/seeds.json):`)
  for (const { command, stamp } of result.steps) console.error(`  ${stamp.at} ${JSON.stringify(command)}`)
}
process.exitCode = failures > 0 ? 1 : 0

function seedsToRun(): readonly number[] {
  const given = positionals.map((text) => wholeNumber(text, 'seed'))
  if (given.length > 0) return given
  const kept = JSON.parse(readFileSync(new URL('seeds.json', import.meta.url), 'utf8')) as readonly number[]
  return [...new Set([...kept, ...Array.from({ length: wholeNumber(values.seeds, '--seeds') }, (_, i) => i + 1)])]
}

function wholeNumber(text: string, what: string): number {
  if (!/^\d{1,15}$/.test(text)) {
    console.error(`${what} must be a whole number, not "${text}"`)
    process.exit(2)
  }
  return Number(text)
}
