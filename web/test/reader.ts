/** A person who uses a screen reader and the keyboard alone: hears what live regions say, and goes through a page with Tab. */
import assert from 'node:assert/strict'
import type { BrowserContext, Locator, Page } from 'playwright-core'

export type Reader = {
  /** Presses Tab until this is in focus, and returns what was passed. */
  tabsTo(role: Role, name: string | RegExp): Promise<readonly string[]>
  /** Role and name of the element in focus, as the accessibility tree has them: `button "Buy BTC"`. */
  focused(): Promise<string>
  /** Waits until this was announced, and forgets everything up to there. */
  hears(text: string): Promise<void>
  /** Buttons, links, fields and pictures of the page without a name. */
  nameless(): Promise<readonly string[]>
  /** Roles and names in the order in which they are read. */
  path(within?: Locator): Promise<readonly string[]>
}

type Role = 'button' | 'textbox' | 'radio' | 'tab' | 'checkbox' | 'link'
/** More stops than any screen has. */
const stopsMax = 120

function isNamed(focused: string, role: Role, name: string | RegExp): boolean {
  const own = focused.startsWith(`${role} "`) ? focused.slice(role.length + 2, -1) : undefined
  return own !== undefined && (typeof name === 'string' ? own === name : name.test(own))
}

/** Records what a screen reader announces. Has to be called before the page is opened. */
export async function listen(context: BrowserContext): Promise<void> {
  await context.addInitScript(() => {
    const heard: string[] = []
    Object.assign(globalThis, { heard })
    let before = new Map<Element, string>()
    const say = (text: string): void => void (text !== '' && heard.push(text))
    const look = (): void => {
      const now = new Map<Element, string>()
      const modal = [...document.querySelectorAll('dialog:modal')].at(-1)
      for (const region of document.querySelectorAll<HTMLElement>('[aria-live=polite], [role=status], [role=alert]')) {
        // What is hidden, or behind a dialog, is not in the accessibility tree.
        if (!region.checkVisibility() || (modal !== undefined && !modal.contains(region))) continue
        const text = region.innerText.replaceAll(/\s+/g, ' ').trim()
        now.set(region, text)
        const last = before.get(region)
        // A region that comes with its text is announced only if it is an alert.
        if (last === undefined ? region.role === 'alert' : last !== text) say(text)
      }
      before = now
      requestAnimationFrame(look)
    }
    requestAnimationFrame(look)
  })
}

export function reader(page: Page): Reader {
  const focused = async (): Promise<string> => {
    const here = page.locator(':focus')
    // Without it, the snapshot would wait for a focus.
    if ((await here.count()) === 0) return ''
    // Only the first line: others are what is in the element.
    const snapshot = await here.ariaSnapshot()
    return /^- '?(\w+(?: "(?:[^"\\]|\\.)*")?)/.exec(snapshot)?.[1] ?? snapshot
  }
  const path: Reader['path'] = async (within = page.locator('body')) => {
    const lines = (await within.ariaSnapshot()).split('\n')
    return lines.flatMap((line) => /^\s*- '?(\w+(?: "(?:[^"\\]|\\.)*")?)/.exec(line)?.[1] ?? [])
  }
  return {
    focused,
    path,
    async tabsTo(role, name) {
      const passed: string[] = []
      for (let now = await focused(); !isNamed(now, role, name); now = await focused()) {
        passed.push(now)
        assert.ok(passed.length < stopsMax, `no Tab leads to ${role} ${name}, past ${passed.join(', ')}`)
        await page.keyboard.press('Tab')
      }
      passed.push(await focused())
      return passed
    },
    async hears(text) {
      const wait = (wanted: string): boolean => {
        const { heard } = globalThis as unknown as { readonly heard: string[] }
        const at = heard.findIndex((one) => one.includes(wanted))
        if (at >= 0) heard.splice(0, at + 1)
        return at >= 0
      }
      await page.waitForFunction(wait, text).catch(async (cause: unknown) => {
        const heard = await page.evaluate(() => (globalThis as unknown as { readonly heard: string[] }).heard)
        throw new Error(`${text} is not announced, but ${heard.join(' | ')}`, { cause })
      })
    },
    async nameless() {
      return (await path()).filter((one) =>
        /^(button|link|textbox|radio|checkbox|tab|slider|img|switch|combobox|dialog|heading)$/.test(one),
      )
    },
  }
}
