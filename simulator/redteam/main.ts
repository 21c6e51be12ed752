import { heading, line, playAll } from './report.ts'

/** `npm run sim -- --kind redteam [--seeds N] [--only NAME]`: prints the table. Returns true if no strategy earned. */
export function runRedTeam(seeds: number, only: string | undefined): boolean {
  console.log(`${seeds} seeds; result of the attacker in USDT per run\n\n| ${heading.join(' | ')} |\n|${' --- |'.repeat(heading.length)}`)
  const rows = playAll(seeds, only, (row) => console.log(line(row)))
  const broken = rows.filter(({ faults }) => faults.length > 0)
  for (const { name, faults } of broken) console.error(`${name} FAILED\n  ${faults.slice(0, 5).join('\n  ')}`)
  return broken.length === 0
}
