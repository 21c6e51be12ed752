/** A member of the staff with a desktop browser: Chromium with a virtual authenticator, on the console of a running exchange. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Browser, type BrowserContext, type CDPSession, chromium, type Page } from 'playwright-core'
import { createStaff } from '../../server/main/commands/staff.ts'
import { readSettings } from '../../server/main/settings.ts'
import type { TestExchange } from '../../server/main/test/exchange.ts'
import { browserArgs, findBrowser } from '../../tools/browser.ts'
import { requireFreshBuild } from '../../tools/web-stamp.ts'
import { hurry } from '../../web/test/hurry.ts'

export const sizes = { wide: { width: 1440, height: 900 }, narrow: { width: 1024, height: 768 } } as const
export const password = 'nine quiet lighthouses'

export async function startBrowser(): Promise<Browser> {
  requireFreshBuild('console')
  return chromium.launch({ executablePath: findBrowser(), args: [...browserArgs] })
}

export type Member = {
  readonly page: Page
  readonly context: BrowserContext
  /** Errors of page scripts and the console, among them what the policy of the pages refuses. */
  readonly complaints: string[]
  go(path: string): Promise<void>
  /** Takes the member's device away and gives a new one without passkeys. */
  changeDevice(): Promise<void>
}

/** The page of a visitor. Passkeys belong to a name, so the pages are opened at `localhost`. */
export async function visitor(browser: Browser, exchange: TestExchange, size: keyof typeof sizes = 'wide'): Promise<Member> {
  const context = await browser.newContext({ viewport: sizes[size], colorScheme: 'dark' })
  // Longer than any step takes on a slow machine.
  context.setDefaultTimeout(120_000)
  await hurry(context)
  const page = await context.newPage()
  const complaints: string[] = []
  page.on('pageerror', (error) => complaints.push(String(error)))
  page.on('console', (message) => {
    // A refused request is an answer, which the page explains.
    if (message.type() === 'error' && !message.text().includes('Failed to load resource')) complaints.push(message.text())
  })
  const devtools = await context.newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  let authenticatorId = await addAuthenticator(devtools)
  const url = consoleUrl(exchange)
  const changeDevice = async (): Promise<void> => {
    await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    authenticatorId = await addAuthenticator(devtools)
  }
  return { page, context, complaints, go: async (path) => void (await page.goto(url + path)), changeDevice }
}

export const consoleUrl = ({ url }: TestExchange): string => `${url.replace('127.0.0.1', 'localhost')}/console`

/** A device of the member that signs at once. */
async function addAuthenticator(session: CDPSession): Promise<string> {
  const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      ...{ protocol: 'ctap2', transport: 'internal', hasResidentKey: true, hasUserVerification: true },
      ...{ isUserVerified: true, automaticPresenceSimulation: true },
    },
  })
  return authenticatorId
}

/** Creates a member by the command line. Returns the enrolment link's token if it printed one, else the proposal's number. */
export async function create(
  { dataFolder }: TestExchange,
  email: string,
  name: string,
  role: string,
): Promise<{ readonly token?: string; readonly proposal?: number }> {
  const settings = readSettings({ CANDOR_DATA: dataFolder }, dataFolder)
  const { json } = await createStaff.run({ settings, operands: [email], options: { name, role } })
  const token = linkForm.exec(String(json['link'] ?? ''))?.[1]
  return token === undefined ? { proposal: Number(json['proposal']) } : { token }
}

const linkForm = /\/console\/enrol#token=([\w-]{22})\b/

/** The token in the newest mail to an address, once it has arrived in the inbox of the sandbox. */
export async function tokenTo({ url }: TestExchange, email: string): Promise<string> {
  for (;;) {
    const { messages } = (await (await fetch(`${url}/inbox.json?to=${email}`)).json()) as { messages: { text: string }[] }
    const token = linkForm.exec(messages[0]?.text ?? '')?.[1]
    if (token !== undefined) return token
    await sleep(50)
  }
}

/** Enrols at the page of the link, which logs in. */
export async function enrol({ page, go }: Member, token: string): Promise<void> {
  await go(`/enrol#token=${token}`)
  await page.getByLabel('New password').fill(password)
  await page.getByRole('button', { name: 'Create passkey and log in' }).click()
  await page.getByRole('heading', { name: 'Overview', level: 1 }).waitFor()
  assert.equal(new URL(page.url()).hash, '', 'the token is no longer in the address')
}

/** Creates a member by the command line, approved by the given administrators, who are logged in, and enrols at the member's page. */
export async function hire(
  exchange: TestExchange,
  administrators: readonly Member[],
  member: Member,
  [email, name, role]: Person,
): Promise<void> {
  const { proposal } = await create(exchange, email, name, role)
  for (const { page } of administrators) {
    const status = await page.evaluate(
      async (id) => (await fetch(`/console/v1/staff/proposals/${id}/approve`, { method: 'POST' })).status,
      proposal,
    )
    assert.equal(status, 200)
  }
  await enrol(member, await tokenTo(exchange, email))
}

/** Address, name and role. */
export type Person = readonly [email: string, name: string, role: string]

/** Two administrators, the second one at a narrow window, and one more member, all logged in. */
export async function team(browser: Browser, exchange: TestExchange, third: Person): Promise<readonly [Member, Member, Member]> {
  const { token } = await create(exchange, 'ann@staff.example', 'Ann Archer', 'administrator')
  const ann = await visitor(browser, exchange)
  await enrol(ann, token!)
  const ben = await visitor(browser, exchange, 'narrow')
  await hire(exchange, [ann], ben, ['ben@staff.example', 'Ben Baker', 'administrator'])
  const member = await visitor(browser, exchange)
  await hire(exchange, [ann, ben], member, third)
  return [ann, ben, member]
}
