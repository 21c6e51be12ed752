/**
 * A plugin of StrykerJS: runs all mutants in one process. Each mutant runs against the tests that reach it, the quickest first, up
 * to the first failure.
 *
 * A mutant can damage the state of modules. So a failed test runs again without the mutant. If it fails again, all modules are
 * reloaded and the mutant runs again. A test that uses the disk, the network or the clock may fail by chance: it must fail with the
 * mutant once more.
 */
import { mkdirSync } from 'node:fs'
import { registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { live } from './live.ts'
import { sweep } from './sweep.ts'
import { takeTests, type Test, type TestFile } from './tests-here.ts'
import './one-seed.ts'

type MutantRun = {
  readonly activeMutant: { readonly id: string }
  readonly testFilter?: readonly string[]
  readonly hitLimit?: number
  readonly mutantActivation: 'runtime' | 'static'
  readonly reloadEnvironment: boolean
}
type Failure = { readonly id: string; readonly message: string }

type Options = {
  readonly testsHere: readonly string[]
  /** A folder for what the tests write; undefined when they know no disk, network or clock. */
  readonly temporary?: string
}

/** Visits by mutant. */
type Coverage = Readonly<Record<string, number>>

/**
 * StrykerJS allows a hundred times the visits of a run without mutants. Five times is enough for tests that do the same in every
 * run.
 */
const limitShare = 20
/** More mutants than any room has. */
const mutantsMax = 100_000
const testsHere = pathToFileURL(resolve(import.meta.dirname, 'tests-here.ts')).href

class Runner {
  readonly #paths: readonly string[]
  readonly #isPure: boolean
  #files: readonly TestFile[] = []
  #tests = new Map<string, Test>()
  readonly #tookMs = new Map<string, number>()
  #round = 0
  #isHooked = false
  /** Fails the running test. */
  #uncaught: (cause: unknown) => void = () => undefined

  constructor({ testsHere: paths, temporary }: Options) {
    this.#paths = paths
    this.#isPure = temporary === undefined
    if (temporary === undefined) return
    process.env.TMPDIR = join(temporary, String(process.pid))
    sweep(temporary)
    mkdirSync(process.env.TMPDIR, { recursive: true })
    for (const event of ['uncaughtException', 'unhandledRejection']) process.on(event, (cause) => this.#uncaught(cause))
  }

  capabilities(): { readonly reloadEnvironment: boolean } {
    return { reloadEnvironment: true }
  }

  async dryRun(): Promise<object> {
    live.active = -1
    live.visits = new Float64Array(mutantsMax)
    await this.#load()
    const whileLoading = takeVisits(live.visits)
    const perTest: Record<string, Coverage> = {}
    const tests: object[] = []
    for (const id of this.#tests.keys()) {
      const failure = await this.#run(id)
      perTest[id] = takeVisits(live.visits)
      const about = { id, name: id, timeSpentMs: this.#tookMs.get(id) }
      tests.push(failure === undefined ? { ...about, status: 0 } : { ...about, status: 1, failureMessage: failure.message })
    }
    live.visits = undefined
    return { status: 'complete', tests, mutantCoverage: { static: whileLoading, perTest } }
  }

  async mutantRun(run: MutantRun): Promise<object> {
    let failure = await this.#mutantRun(run, run.reloadEnvironment)
    if (failure !== undefined && !(await this.#isCaused(run, failure))) failure = await this.#mutantRun(run, true)
    const isEndless = live.hits < 0
    live.active = -1
    live.hits = Infinity
    const nrOfTests = run.testFilter?.length ?? this.#tests.size
    if (isEndless) return { status: 'timeout', reason: 'hit limit' }
    if (failure === undefined) return { status: 'survived', nrOfTests }
    return { status: 'killed', killedBy: [failure.id], failureMessage: failure.message, nrOfTests }
  }

  async #mutantRun(run: MutantRun, isFresh: boolean): Promise<Failure | undefined> {
    const number = Number(run.activeMutant.id)
    const isStatic = run.mutantActivation === 'static' || run.testFilter === undefined
    live.hits = (run.hitLimit ?? Infinity) / (this.#isPure ? limitShare : 1)
    live.active = isStatic ? number : -1
    try {
      if (isFresh || this.#tests.size === 0) await this.#load()
    } catch (cause) {
      return { id: [...this.#tookMs.keys()][0] ?? '', message: String(cause) }
    }
    live.active = number
    const took = (id: string): number => this.#tookMs.get(id) ?? 0
    for (const id of [...(run.testFilter ?? this.#tests.keys())].sort((a, b) => took(a) - took(b))) {
      const failure = await this.#run(id)
      if (failure !== undefined) return failure
    }
    return undefined
  }

  /** Whether the mutant is why the test failed. A mutant that is active while modules load always gets fresh modules. */
  async #isCaused(run: MutantRun, { id }: Failure): Promise<boolean> {
    if (run.mutantActivation === 'static' || live.hits < 0) return true
    live.active = -1
    if ((await this.#run(id)) !== undefined) return false
    if (this.#isPure) return true
    live.active = Number(run.activeMutant.id)
    return (await this.#run(id)) !== undefined
  }

  async dispose(): Promise<void> {
    for (const file of this.#files) await file.end().catch(() => undefined)
  }

  async #run(id: string): Promise<Failure | undefined> {
    const started = performance.now()
    const uncaught = new Promise<never>((_, reject) => {
      this.#uncaught = reject
    })
    try {
      await Promise.race([this.#tests.get(id)!.body(), uncaught])
      return undefined
    } catch (cause) {
      return { id, message: String(cause) }
    } finally {
      this.#uncaught = () => undefined
      if (live.active === -1) this.#tookMs.set(id, performance.now() - started)
    }
  }

  /** Loads the tests and all their imports again. */
  async #load(): Promise<void> {
    this.#hook()
    await this.dispose()
    this.#round++
    this.#tests = new Map()
    const files: TestFile[] = []
    this.#files = files
    for (const path of this.#paths) {
      await import(pathToFileURL(resolve(path)).href)
      const file = takeTests()
      files.push(file)
      for (const test of file.tests) {
        let id = `${path}: ${test.name}`
        while (this.#tests.has(id)) id += ' again'
        this.#tests.set(id, test)
      }
    }
  }

  /** Adds the round to the URLs of modules, so that each round loads new ones. */
  #hook(): void {
    if (this.#isHooked) return
    this.#isHooked = true
    const sandbox = pathToFileURL(`${process.cwd()}/`).href
    registerHooks({
      resolve: (name, context, next) => {
        if (name === 'node:test') return { url: testsHere, format: 'module-typescript', shortCircuit: true }
        const found = next(name, context)
        const isOwn = found.url.startsWith(sandbox) && !found.url.includes('/node_modules/')
        return isOwn ? { ...found, url: `${found.url}?round=${this.#round}` } : found
      },
    })
  }
}

function takeVisits(visits: Float64Array): Coverage {
  const taken: Record<string, number> = {}
  for (const [mutant, count] of visits.entries()) if (count > 0) taken[mutant] = count
  visits.fill(0)
  return taken
}

function runnerOf(options: Options): Runner {
  return new Runner(options)
}
runnerOf.inject = ['options'] as const

export const strykerPlugins = [{ kind: 'TestRunner', name: 'one-process', factory: runnerOf }]
