/**
 * What the phone app costs a phone, each value beside its budget: kB of the first load of the tabs and of the screens that people open
 * from links; Lighthouse on a slow phone and network; work of a live trade screen and delay of taps at a quarter of this machine's
 * speed; and a reload without a connection. Fails when a budget is exceeded.
 *
 *   npm run bench -- web [--paths /,/spot] [--parts desk,terminal,taps,offline,lighthouse] [--rounds N] [--json]
 *
 * It all runs against a whole exchange with bots on this machine, behind TLS and HTTP/2 for Lighthouse. Other load lengthens everything
 * but sizes and blocking time (TBT), which is time of the processor. The median of `--rounds` (default 1) counts. `--parts` measures only
 * some parts besides the sizes, or none with `--parts sizes`. A round whose browser died or painted nothing in time is reported and
 * repeated.
 */
import { availableParallelism, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import { locales } from '@candor/core/protocol/locales.ts'
import { median } from './report.ts'
import { budget, type FirstLoad, firstLoad, loadBudget, otherSizes, tabs } from './web-build.ts'
import { findLighthouse, marksOf } from './web/lighthouse.ts'
import { offlineReload, type Tap, taps, workOfFourCharts, workPerSecond } from './web/live.ts'
import { isMet, lineOf, type Measured } from './web/verdicts.ts'
import { startWorld, type World } from './web/world.ts'

/** The five tabs, with the desks of the trade tab. */
const barPaths = ['/', '/market', '/contract', '/property', '/me'] as const
const furtherPaths = [
  ...['/exchange', '/sellList', '/sellDetail', '/join', '/daily', '/alerts', '/support', '/features', '/fees', '/help'],
  '/propertyRecord',
] as const
/** Those whose content is the customer's own. The others are measured as a visitor sees them. */
const ownPaths: readonly string[] = ['/property', '/me', '/alerts', '/support', '/propertyRecord']

const felt = { performance: 98, accessibility: 100, practices: 100, homeLcpMs: 1_400, lcpMs: 2_000, tbtMs: 100, cls: 0.01 } as const
const live = { workMs: 200, terminalMs: 600, tapMs: 100, offlineMs: 300 } as const

const { values } = parseArgs({
  options: {
    paths: { type: 'string', default: [...barPaths, ...furtherPaths].join(',') },
    parts: { type: 'string', default: 'desk,terminal,taps,offline,lighthouse' },
    rounds: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})
const paths = values.paths.split(',')
const asked = values.parts.split(',')
const isAsked = (part: 'desk' | 'terminal' | 'taps' | 'offline' | 'lighthouse'): boolean => asked.includes(part)
const isLive = isAsked('desk') || isAsked('terminal') || isAsked('taps') || isAsked('offline')
const rounds = Number(values.rounds)
const say = (line: string): void => void (values.json ? process.stderr : process.stdout).write(`${line}\n`)
const results: Measured[] = []
const tell = (one: Measured): void => {
  results.push(one)
  say(lineOf(one))
}

say(`First load in kB of gzip, heaviest language (${budget.requests} requests with page and font)`)
const loads = [...new Set([...tabs, ...paths])].map(heaviest)
for (const { path, kB, lang, files } of loads) {
  tell({ what: `${path}  ${lang}`, value: kB, budget: loadBudget(path), unit: 'kB', digits: 1 })
  if ((tabs as readonly string[]).includes(path))
    tell({ what: `${path}  requests`, value: files.length + 2, budget: budget.requests, unit: '' })
}
const { styles, font, chart } = otherSizes()
for (const [what, value] of Object.entries({ styles, font, chart }))
  tell({ what, value, budget: budget[what as 'styles' | 'font' | 'chart'], unit: 'kB', digits: 1 })

if (isLive || isAsked('lighthouse')) {
  await using world = await startWorld()
  if (isLive) await feel(world)
  if (isAsked('lighthouse')) await visit(world)
  say(`at a load of ${(loadavg()[0] ?? 0).toFixed(1)} on ${availableParallelism()} cores: other load lengthens all times`)
}

const over = results.filter((one) => !isMet(one))
say(over.length === 0 ? 'all within their budgets' : `over budget: ${over.map(({ what }) => what).join('; ')}`)
const worst = Math.max(...loads.map((load) => load.kB))
if (values.json)
  process.stdout.write(
    `${JSON.stringify({ name: 'web', value: worst, yardstick: budget.firstLoad, ratio: worst / budget.firstLoad, results })}\n`,
  )
process.exit(over.length === 0 ? 0 : 1)

function heaviest(path: string): FirstLoad {
  return locales.map(({ code }) => firstLoad(path, code)).reduce((a, b) => (b.kB > a.kB ? b : a))
}

async function feel(world: World): Promise<void> {
  say('A live desk and its taps at a quarter of the speed; a reload without a connection at full speed')
  if (isAsked('desk')) {
    for (const path of ['/spot?symbol=BTCUSDT', '/contract?symbol=BTCUSDTPERP']) {
      const tried: number[] = []
      for (let round = 0; round < rounds; round += 1) tried.push(await workPerSecond(world, path))
      tell({ what: `${path}  main thread`, value: median(tried), budget: live.workMs, unit: 'ms/s' })
    }
  }
  if (isAsked('terminal')) {
    const tried: number[] = []
    for (let round = 0; round < rounds; round += 1) tried.push(await workOfFourCharts(world))
    tell({ what: 'four charts  main thread', value: median(tried), budget: live.terminalMs, unit: 'ms/s' })
  }
  if (isAsked('taps')) {
    const tried: (readonly Tap[])[] = []
    for (let round = 0; round < rounds; round += 1) tried.push(await taps(world))
    for (const [at, { what }] of (tried[0] ?? []).entries()) {
      const value = median(tried.map((taps) => taps[at]?.ms ?? Number.NaN))
      tell({ what: `tap: ${what}`, value, budget: live.tapMs, unit: 'ms' })
    }
  }
  if (isAsked('offline')) {
    const value = await offlineReload(world, 5)
    tell({ what: 'last balance after an offline reload', value, budget: live.offlineMs, unit: 'ms' })
  }
}

async function visit(world: World): Promise<void> {
  const tools = await findLighthouse()
  if (tools === undefined) return say('Lighthouse: skipped, not installed (npm ci in tools/heavy)')
  const url = world.secureUrl ?? world.url
  say(`Lighthouse, a slow phone and network${world.secureUrl === undefined ? ', without HTTP/2: openssl is not installed' : ''}`)
  for (const path of paths) {
    const isOwn = ownPaths.includes(path)
    const at = isOwn ? `${path} (customer)` : path
    const visit = { url, path: addressOf(path, world), user: isOwn ? world.customer : undefined, rounds, isPainted: path === '/' }
    const marks = await marksOf(tools, visit).catch((error: Error) => {
      say(`  ${at}: not measured: ${error.message}`)
      return undefined
    })
    if (marks === undefined) {
      // The other paths are measured none the less, and the run fails.
      tell({ what: `${at}  Lighthouse`, value: 0, budget: felt.performance, unit: '', isLeast: true })
      continue
    }
    tell({ what: `${at}  performance`, value: marks.performance, budget: felt.performance, unit: '', isLeast: true })
    tell({ what: `${at}  accessibility`, value: marks.accessibility, budget: felt.accessibility, unit: '', isLeast: true })
    tell({ what: `${at}  best practices`, value: marks.practices, budget: felt.practices, unit: '', isLeast: true })
    tell({ what: `${at}  LCP`, value: marks.lcpMs, budget: path === '/' ? felt.homeLcpMs : felt.lcpMs, unit: 'ms' })
    tell({ what: `${at}  TBT`, value: marks.tbtMs, budget: felt.tbtMs, unit: 'ms' })
    tell({ what: `${at}  CLS`, value: marks.cls, budget: felt.cls, unit: '', digits: 3 })
  }
}

/** The address of a path that shows something: for a presale, the first one of the sandbox. */
function addressOf(path: string, { presale }: World): string {
  return path === '/sellDetail' ? `${path}?id=${presale}` : path
}
