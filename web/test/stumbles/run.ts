/**
 * `npm run stumbles [-- --locales en,de,hk] [--only 1,2] [--themes dark,light]`
 *
 * Plays the script of each stumble on an own exchange, in Chromium with a touch screen at twice the density, and says which failed.
 * Pictures and a contact sheet are in `look/`.
 */
import assert from 'node:assert/strict'
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { writeContactSheet } from '../../../tools/contact-sheet.ts'
import { root } from '../../../tools/tidy/files.ts'
import type { Scene, Stumble } from './scene.ts'
import { startWorld } from './world.ts'

const folder = join(root, 'look')
// Phones have the full density only where pictures are taken.
process.env.CANDOR_PICTURES = folder
const { langsOr, person, startBrowser } = await import('../person.ts')
const { still } = await import('../axe.ts')
const { stumbles } = await import('./stumbles.ts')

const { values } = parseArgs({
  options: {
    locales: { type: 'string', default: 'en,de,hk' },
    only: { type: 'string', default: '' },
    themes: { type: 'string', default: 'dark' },
  },
})
const list = (text: string): readonly string[] => text.split(',').filter((part) => part !== '')
process.env.CANDOR_LOCALES = values.locales
const only = new Set(list(values.only).map(Number))
const asked = stumbles.filter(({ number }) => only.size === 0 || only.has(number))

rmSync(folder, { recursive: true, force: true })
mkdirSync(folder, { recursive: true })
const pictures: string[] = []
const failed: string[] = []
await using world = await startWorld()
const browser = await startBrowser()
try {
  for (const stumble of asked) for (const lang of langsOr()) await play(stumble, lang)
} finally {
  await browser.close()
}
writeContactSheet(folder, pictures)
process.stdout.write(`${pictures.length} pictures and index.html in look/\n`)
if (failed.length > 0) {
  process.stdout.write(`failed: ${failed.join(', ')}\n`)
  process.exitCode = 1
}

async function play(stumble: Stumble, lang: Scene['lang']): Promise<void> {
  const { number, does, funds = { USDT: '10000', BTC: '1' }, isFirstVisit = false } = stumble
  const name = `${String(number).padStart(2, '0')} in ${lang}`
  await world.index({ btc: 60_000, eth: 3_000 })
  const user = await world.exchange.user({ funds, isCertified: true })
  const someone = await person(browser, world.exchange.url, { lang, user, isFirstVisit })
  const { page, context, complaints } = someone
  const see: Scene['see'] = async (step) => {
    for (const theme of list(values.themes)) {
      await page.emulateMedia({ colorScheme: theme === 'light' ? 'light' : 'dark' })
      await still(page)
      const file = `${String(number).padStart(2, '0')}-${step}-${lang}${theme === 'dark' ? '' : `-${theme}`}.png`
      await page.screenshot({ path: join(folder, file) })
      pictures.push(file)
    }
  }
  try {
    await stumble.run({ ...someone, lang, user, world, see })
    assert.deepEqual(complaints, [])
    process.stdout.write(`ok ${name}: ${does}\n`)
  } catch (error) {
    failed.push(name)
    process.stdout.write(`not ok ${name}: ${does}\n${String(error)}\n`)
    await see('failed').catch(() => undefined)
  } finally {
    await world.clears(user)
    await context.close()
  }
}
