/** Customers of an exchange in a container: one who registers by the app, and some programs with keys that the operator made. */
import assert from 'node:assert/strict'
import { createClient } from '@candor/client/client.ts'
import { createCookieJar } from '@candor/client/node/cookie.ts'
import { Bank, linesOf } from '../cluster/bank/bank.ts'
import { isFlawless } from '../cluster/bank/compare.ts'
import { priceAt } from '../cluster/bank/people.ts'
import { Program } from '../cluster/bank/program.ts'
import { until } from '../cluster/machines/until.ts'

/** An exchange as its operator sees it. */
export type Place = {
  readonly entry: string
  /** A command of `candor` with its answer as JSON. */
  readonly candor: (...words: readonly string[]) => Readonly<Record<string, string>>
}

const password = 'correct horse battery staple'
const startMaxMs = 240_000
const askMs = 5_000
const programCount = 3
/** Requests of all customers together. */
const perSecond = 12
/** Answers that each program gets before something is broken, and again afterwards. */
const servedCount = 5

/** Waits until all that trading needs is up. throws Error with what is missing */
export async function untilHealthy(entry: string, token?: string): Promise<void> {
  const headers: Record<string, string> = token === undefined ? {} : { authorization: `Bearer ${token}` }
  await until(`${entry} is healthy`, startMaxMs, async () => {
    const answer = await fetch(`${entry}/healthz`, { headers, signal: AbortSignal.timeout(askMs) })
    if (!answer.ok) throw new Error(await answer.text())
    return true
  })
}

const clientOf = (entry: string) => createClient({ baseUrl: entry, cookie: createCookieJar(), timeoutMs: 30_000 })
type Client = ReturnType<typeof clientOf>

/** Registers with the code from the inbox and takes practice funds; returns the balance. */
export async function registered(entry: string, email: string): Promise<string> {
  const client = clientOf(entry)
  await client.user.requestCode({ purpose: 'register', channel: 'email', to: email, lang: 'en' })
  const code = await until('the code is in the inbox', askMs, () => codeOf(entry, email))
  await client.user.register({
    ...{ channel: 'email', to: email, code, password, passwordAgain: password, agreement: true },
    ...{ country: 'DE', isOfAge: true, lang: 'en' },
  })
  await client.funds.faucet({ clientId: 'container', asset: 'USDT' })
  return await usdtOf(client)
}

/** What somebody who registered has now. */
export async function balanceOf(entry: string, email: string): Promise<string> {
  const client = clientOf(entry)
  await client.user.login({ channel: 'email', to: email, password, lang: 'en' })
  return await usdtOf(client)
}

const usdtOf = (client: Client): Promise<string> =>
  until('the balance shows', askMs, async () => {
    const { accounts } = await client.funds.balances()
    const found = accounts.flatMap(({ balances }) => balances).find(({ asset, available }) => asset === 'USDT' && Number(available) > 0)
    return found && `${found.available} USDT`
  })

async function codeOf(entry: string, email: string): Promise<string | undefined> {
  const { messages } = (await (await fetch(`${entry}/inbox.json?to=${encodeURIComponent(email)}`)).json()) as { messages: unknown[] }
  return /\b[0-9]{6}\b/.exec(JSON.stringify(messages[0] ?? ''))?.[0]
}

/** Programs of customers with money and keys, which the operator makes by commands. */
export function programsOf({ entry, candor }: Place): readonly Program[] {
  return Array.from({ length: programCount }, (_, nth) => {
    const email = `trader-${nth}@bank.example`
    candor('user', 'create', `--email=${email}`, `--password=${password}`, '--certified')
    candor('faucet', `--email=${email}`, '--asset=USDT', '--amount=1000000')
    candor('faucet', `--email=${email}`, '--asset=BTC', '--amount=20')
    const { key, secret } = candor('apikey', 'create', `--email=${email}`, '--scopes=read,trade')
    return new Program([entry], { key: key!, secret: secret! }, nth)
  })
}

/**
 * Lets programs trade while `work` runs, and compares what they were told with what is there.
 *
 * log     file for every answer that they got
 * throws  Error unless both are the same
 */
export async function tradedDuring(
  programs: readonly Program[],
  { entry }: Pick<Place, 'entry'>,
  { log, work }: { readonly log: string; readonly work: () => Promise<void> },
): Promise<string> {
  // Commands stop this process, so connections may have ended meanwhile: the first question can fail.
  const price = await until('the price is known', askMs, () => priceAt(entry))
  const dropped = new AbortController()
  const bank = await Bank.open({ programs, perSecond, price, mark: Date.now().toString(36), log, signal: dropped.signal })
  const served = () => bank.untilServed(performance.now(), servedCount, startMaxMs)
  try {
    await served()
    await work()
    await served()
  } catch (cause) {
    // Otherwise its customers would go on asking.
    dropped.abort()
    await bank.close().catch(() => undefined)
    throw cause
  }
  const outcome = await bank.close()
  const lines = linesOf(outcome)
  assert.ok(isFlawless(outcome), lines.join('\n'))
  return lines.join('; ')
}
