/** Opens every path as a customer who has something on each, and says what is wrong with it. */
import axe, { type AxeResults } from 'axe-core'
import { problemsOf, seen } from '../../web/test/checklist-walk.ts'
import type { World } from '../../web/test/checklist-world.ts'
import { routes } from '../../web/test/routes.ts'
import { pause } from './driver.ts'
import type { Hand } from './hand.ts'

/** Main screens, of which there are pictures. */
const pictured: readonly string[] = ['/', '/market', '/spot', '/contract', '/Second', '/lever', '/contractkline', '/property', '/me']
/** Who is logged in is led away from registration, which has its journey. */
const paths = routes.filter((route) => route !== '/register')
/** Texts and figures come after the outline. */
const waitMs = 15_000

export async function walks(hand: Hand, { customer }: World): Promise<readonly string[]> {
  const { driver, lang } = hand
  const faults: string[] = []
  await hand.begins(customer)
  for (const route of paths) {
    const note = (what: string): void => void faults.push(`${driver.name}, ${lang}: ${route}: ${what}`)
    try {
      await hand.go(route)
      for (const problem of await problems(hand)) note(problem)
      if (pictured.includes(route)) await hand.pictured(route === '/' ? 'home' : route.slice(1))
    } catch (error) {
      note(String(error))
    }
    driver.complaints.splice(0).forEach(note)
  }
  process.stdout.write(`${driver.name}, ${lang}: ${paths.length} paths\n`)
  return faults
}

/** Problems that stay. */
async function problems(hand: Hand): Promise<readonly string[]> {
  const until = performance.now() + waitMs
  for (;;) {
    const found = [...problemsOf(await hand.driver.run(seen), hand.lang), ...(await hand.driver.run(tooWide)), ...(await violations(hand))]
    if (found.length === 0 || performance.now() > until) return found
    await pause(250)
  }
}

function tooWide(): readonly string[] {
  const { scrollWidth, clientWidth } = document.documentElement
  return scrollWidth > clientWidth ? [`${scrollWidth - clientWidth} px too wide at ${clientWidth}`] : []
}

type Axe = { run(context: unknown, options: object): Promise<Pick<AxeResults, 'violations'>> }

/** Accessibility faults. The same rules are checked in Chromium, but with the styles as this browser computes them. */
async function violations({ driver }: Hand): Promise<readonly string[]> {
  if (!(await driver.run(() => 'axe' in globalThis))) await driver.run(`() => { ${axe.source} }`)
  return driver.run(async () => {
    const { axe } = globalThis as unknown as { readonly axe: Axe }
    const { violations } = await axe.run(document, { resultTypes: ['violations'] })
    return violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html.slice(0, 140)}`))
  })
}
