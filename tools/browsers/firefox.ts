/** Firefox without a window. It speaks WebDriver BiDi itself: JSON over a WebSocket. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Driver, isNoise, jsonCall, size } from './driver.ts'

/** Nothing is asked or fetched at the first start of a profile. */
const preferences = {
  'app.normandy.enabled': false,
  'app.update.disabledForTesting': true,
  'browser.shell.checkDefaultBrowser': false,
  'browser.aboutwelcome.enabled': false,
  'datareporting.policy.dataSubmissionEnabled': false,
  'network.captive-portal-service.enabled': false,
  'network.connectivity-service.enabled': false,
  'services.settings.server': 'http://127.0.0.1:1',
  'toolkit.telemetry.server': 'http://127.0.0.1:1',
}
const startMaxMs = 60_000

type Call = (method: string, given: object) => Promise<any>
type Logged = { readonly level: string; readonly text: string | null }
type Message = {
  readonly id?: number
  readonly method?: string
  readonly params?: Logged
  readonly error?: string
  readonly result?: unknown
}

export async function startFirefox(program: string): Promise<Driver> {
  await using owned = new AsyncDisposableStack()
  const profile = owned.adopt(mkdtempSync(join(tmpdir(), 'candor-firefox-')), (path) => rmSync(path, { recursive: true, force: true }))
  const lines = Object.entries(preferences).map(([name, value]) => `user_pref(${JSON.stringify(name)}, ${JSON.stringify(value)});\n`)
  writeFileSync(join(profile, 'user.js'), lines.join(''))
  const options = ['--headless', '--no-remote', '--profile', profile, '--remote-debugging-port=0', 'about:blank']
  const child = owned.adopt(spawn(program, options, { stdio: ['ignore', 'ignore', 'pipe'] }), ended)
  const socket = owned.adopt(new WebSocket(`${await addressOf(child)}/session`), (open) => open.close())
  const complaints: string[] = []
  const call = await caller(socket, complaints)
  const { capabilities } = await call('session.new', { capabilities: {} })
  await call('session.subscribe', { events: ['log.entryAdded'] })
  const { contexts } = await call('browsingContext.getTree', {})
  const { context } = contexts[0]
  await call('browsingContext.setViewport', { context, viewport: size, devicePixelRatio: 2 })
  let host = ''
  const all = owned.move()
  return {
    name: `Firefox ${capabilities.browserVersion}`,
    complaints,
    load(url) {
      host = new URL(url).hostname
      return call('browsingContext.navigate', { context, url, wait: 'interactive' })
    },
    async cookie({ name, value }) {
      await call('storage.setCookie', { cookie: { name, value: { type: 'string', value }, domain: host, path: '/', httpOnly: true } })
    },
    async run(script, ...given) {
      const value = { type: 'string', value: JSON.stringify(given) }
      const wanted = { functionDeclaration: jsonCall(script), arguments: [value], awaitPromise: true, target: { context } }
      const { result, exceptionDetails } = await call('script.callFunction', wanted)
      if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
      return JSON.parse(result.value)
    },
    act: (actions) => call('input.performActions', { context, actions }),
    picture: async () => Buffer.from((await call('browsingContext.captureScreenshot', { context })).data, 'base64'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** Where the browser listens, which it writes to its error output. */
function addressOf(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    let said = ''
    child.stderr!.on('data', (text) => {
      said += String(text)
      const found = /WebDriver BiDi listening on (ws:\S+)/.exec(said)
      if (found !== null) resolve(found[1]!)
    })
    child.once('error', reject)
    child.once('exit', () => reject(new Error(`Firefox ended: ${said}`)))
    setTimeout(() => reject(new Error(`Firefox did not listen in time: ${said}`)), startMaxMs).unref()
  })
}

async function caller(socket: WebSocket, complaints: string[]): Promise<Call> {
  await new Promise((resolve, reject) => {
    socket.onopen = resolve
    socket.onerror = reject
  })
  let last = 0
  const waiting = new Map<number, (message: Message) => void>()
  socket.onmessage = ({ data }) => {
    const message = JSON.parse(String(data)) as Message
    const { level, text } = message.params ?? {}
    if (message.id !== undefined) waiting.get(message.id)?.(message)
    else if (level === 'error' && !isNoise(text ?? '')) complaints.push(text ?? 'an error without a text')
  }
  return (method, params) =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, (message) => {
        waiting.delete(id)
        if (message.error === undefined) resolve(message.result)
        else reject(new Error(`${method}: ${JSON.stringify(message)}`))
      })
      socket.send(JSON.stringify({ id, method, params }))
    })
}

/** Ends a process and waits for its end, because it still writes to its folder until then. */
export async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return
  const exit = new Promise((done) => child.once('exit', done))
  child.kill()
  const late = setTimeout(() => child.kill('SIGKILL'), 5_000)
  await exit
  clearTimeout(late)
}
