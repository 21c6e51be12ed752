/** WebKitGTK: its small browser, driven by WebKitWebDriver (W3C WebDriver over HTTP) on an X server of its own. */
import { spawn } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Driver, isNoise, jsonCall, pause, size } from './driver.ts'
import { ended } from './firefox.ts'
import type { Installed } from './installed.ts'

const startMaxMs = 60_000
/** The toolbar of the small browser would make its window wider than a phone. */
const narrow =
  'button, entry, headerbar, toolbar, box, toolbutton, label, image { min-width: 0; min-height: 0; padding: 0; margin: 0; border-width: 0; font-size: 1px }'

type Call = (method: string, path: string, body?: object) => Promise<any>

export async function startWebKit({ driver, program, display }: NonNullable<Installed['webkit']>): Promise<Driver> {
  await using owned = new AsyncDisposableStack()
  const home = owned.adopt(mkdtempSync(join(tmpdir(), 'candor-webkit-')), (path) => rmSync(path, { recursive: true, force: true }))
  mkdirSync(join(home, 'gtk-3.0'))
  writeFileSync(join(home, 'gtk-3.0', 'gtk.css'), narrow)
  const screen = display ?? (await ownScreen(owned))
  const port = await freePort()
  const own = { DISPLAY: screen, HOME: home, XDG_CONFIG_HOME: home, XDG_DATA_HOME: home, XDG_CACHE_HOME: home }
  owned.adopt(spawn(driver, [`--port=${port}`, '--host=127.0.0.1'], { stdio: 'ignore', env: { ...process.env, ...own } }), ended)
  const call = caller(`http://127.0.0.1:${port}`)
  const { sessionId, capabilities } = await session(call, program)
  const at = `/session/${sessionId}`
  owned.defer(() => call('DELETE', at))
  const complaints: string[] = []
  const run: Driver['run'] = async (script, ...given) => {
    const text = `const done = arguments[1]; (${jsonCall(script)})(arguments[0]).then((json) => done({ json }), (error) => done({ error: String(error) }))`
    const { json, error } = await call('POST', `${at}/execute/async`, { script: text, args: [JSON.stringify(given)] })
    if (error !== undefined) throw new Error(error)
    return JSON.parse(json)
  }
  const collect = async (): Promise<void> => {
    complaints.push(...(await run(takeErrors)).filter((text) => !isNoise(text)))
  }
  await fit(call, at, run)
  const all = owned.move()
  return {
    name: `WebKitGTK ${capabilities.browserVersion}`,
    complaints,
    async load(url) {
      await leaves(call, at, run, url)
      await collect()
    },
    cookie: (cookie) => call('POST', `${at}/cookie`, { cookie: { ...cookie, path: '/', httpOnly: true } }),
    async run(script, ...given) {
      const result = await run(script, ...given)
      await collect()
      return result
    },
    act: (actions) => call('POST', `${at}/actions`, { actions }),
    picture: async () => Buffer.from(await call('GET', `${at}/screenshot`), 'base64'),
    [Symbol.asyncDispose]: () => all.disposeAsync(),
  }
}

/** WebDriver reports no errors, so the page collects its own from the moment it has been parsed. */
function takeErrors(): readonly string[] {
  const kept = globalThis as unknown as { candorErrors?: string[] }
  if (kept.candorErrors === undefined) {
    const errors: string[] = (kept.candorErrors = [])
    addEventListener('error', ({ message }) => errors.push(message))
    addEventListener('unhandledrejection', ({ reason }) => errors.push(String(reason)))
    const usual = console.error
    console.error = (...told: unknown[]) => {
      errors.push(told.map(String).join(' '))
      usual(...told)
    }
  }
  return kept.candorErrors.splice(0)
}

async function ownScreen(owned: AsyncDisposableStack): Promise<string> {
  const options = ['-displayfd', '3', '-screen', '0', '1000x1200x24', '-nolisten', 'tcp']
  const screen = owned.adopt(spawn('Xvfb', options, { stdio: ['ignore', 'ignore', 'ignore', 'pipe'] }), ended)
  return new Promise((resolve, reject) => {
    screen.stdio[3]!.once('data', (number) => resolve(`:${String(number).trim()}`))
    screen.once('error', reject)
    screen.once('exit', () => reject(new Error('Xvfb ended')))
  })
}

function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer().once('error', reject)
    server.listen(0, '127.0.0.1', () => {
      const { port } = server.address() as { readonly port: number }
      server.close(() => resolve(port))
    })
  })
}

function caller(base: string): Call {
  return async (method, path, body) => {
    const answer = await fetch(`${base}${path}`, { method, ...(body === undefined ? {} : { body: JSON.stringify(body) }) })
    const { value } = (await answer.json()) as { readonly value: any }
    if (!answer.ok) throw new Error(`${method} ${path}: ${value.error}: ${value.message}`)
    return value
  }
}

/** The driver needs a moment until it listens. */
async function session(call: Call, binary: string): Promise<any> {
  const options = { binary, args: ['--automation'] }
  const capabilities = { alwaysMatch: { pageLoadStrategy: 'none', 'webkitgtk:browserOptions': options } }
  const until = performance.now() + startMaxMs
  for (;;) {
    try {
      return await call('POST', '/session', { capabilities })
    } catch (cause) {
      if (performance.now() > until) throw new Error('WebKitWebDriver did not start a browser in time', { cause })
      await pause(100)
    }
  }
}

/**
 * Loads a page, from an empty one: the driver waits for ever where only the part after # differs. It also does not always notice that a
 * page is there, so the page is asked; one that is on its way out gives no answer.
 */
async function leaves(call: Call, at: string, run: Driver['run'], url: string): Promise<void> {
  for (const next of ['about:blank', url]) {
    await call('POST', `${at}/url`, { url: next })
    const isThere = (isEmpty: boolean): boolean => (location.href === 'about:blank') === isEmpty && document.readyState !== 'loading'
    for (const until = performance.now() + startMaxMs; !(await run(isThere, next !== url).catch(() => false)); ) {
      if (performance.now() > until) throw new Error(`${next} is not loaded`)
      await pause(100)
    }
  }
}

/** Makes the page, not the window around it, as large as a phone. */
async function fit(call: Call, at: string, run: Driver['run']): Promise<void> {
  const inner = () => [innerWidth, innerHeight] as const
  for (const until = performance.now() + startMaxMs; ; ) {
    const [width, height] = await run(inner)
    if (width === size.width && height === size.height) return
    if (performance.now() > until) throw new Error(`the window stays ${width}×${height}`)
    const outer = await call('GET', `${at}/window/rect`)
    await call('POST', `${at}/window/rect`, { width: outer.width + size.width - width, height: outer.height + size.height - height })
    await pause(100)
  }
}
