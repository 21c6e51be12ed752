/** The journeys and the walk in each browser and language, one after the other, on two exchanges. */
import { readdirSync } from 'node:fs'
import { startExchange } from '../../server/main/test/exchange.ts'
import { startWorld } from '../../web/test/checklist-world.ts'
import { hasBook, type Lang, languages } from '../../web/test/person.ts'
import { writeContactSheet } from '../contact-sheet.ts'
import type { Driver } from './driver.ts'
import { startFirefox } from './firefox.ts'
import { Hand } from './hand.ts'
import type { BrowserName, Installed } from './installed.ts'
import { journeys } from './journeys.ts'
import { walks } from './walk.ts'
import { startWebKit } from './webkit.ts'

export type Wish = {
  readonly browsers: readonly BrowserName[]
  readonly there: Installed
  readonly langs: readonly string[]
  /** For the pictures. */
  readonly folder: string
}

/** Returns what is wrong. */
export async function runAll({ browsers, there, langs, folder }: Wish): Promise<readonly string[]> {
  for (const lang of langs) if (!(lang in languages)) throw new Error(`there is no language ${lang}`)
  const faults: string[] = []
  const inEach = async (url: string, work: (hand: Hand) => Promise<void>): Promise<void> => {
    for (const name of browsers) {
      await using driver = await start(name, there)
      for (const lang of langs as readonly Lang[]) {
        const hand = new Hand(driver, { url, lang, pictures: folder })
        await work(hand)
      }
    }
  }
  {
    await using exchange = await startExchange({ seed: '29', bots: true })
    for (const symbol of ['BTCUSDT', 'BTCUSDTPERP']) await hasBook(exchange, symbol)
    await inEach(exchange.url, async (hand) => void faults.push(...(await goes(hand))))
  }
  {
    await using world = await startWorld({ USDT: '25000', BTC: '0.2', ETH: '3' })
    await inEach(
      world.exchange.url,
      async (hand) => void faults.push(...(await walks(hand, world).catch((error) => [`${hand.driver.name}, ${hand.lang}: ${error}`]))),
    )
  }
  writeContactSheet(
    folder,
    readdirSync(folder)
      .filter((file) => file.endsWith('.png'))
      .toSorted(),
  )
  return faults
}

async function start(name: BrowserName, { firefox, webkit }: Installed): Promise<Driver> {
  if (name === 'firefox') return startFirefox(firefox!.program)
  return startWebKit(webkit!)
}

/** All journeys of one person. The first that can't be finished ends them. */
async function goes(hand: Hand): Promise<readonly string[]> {
  const { driver, lang } = hand
  const faults: string[] = []
  const note = (what: string): void => void faults.push(`${driver.name}, ${lang}: ${what}`)
  await hand.begins()
  for (const [name, journey] of Object.entries(journeys)) {
    const began = performance.now()
    try {
      await journey(hand)
      process.stdout.write(`${driver.name}, ${lang}: ${name}, ${Math.round((performance.now() - began) / 1_000)} s\n`)
    } catch (error) {
      note(`${name}: ${String(error)}, see ${await hand.pictured(`fault-${name}`)}`)
      break
    } finally {
      driver.complaints.splice(0).forEach((complaint) => note(`${name}: ${complaint}`))
    }
  }
  return faults
}
