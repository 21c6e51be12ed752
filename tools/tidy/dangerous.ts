/**
 * Names of dangerous functions. Text that is run as code, or shown as HTML, lets whoever wrote it act as the reader. Programs of the
 * system are started with a list of arguments, never through a shell, and only from the files in `starters`.
 */
import { files, text } from './files.ts'
import { isTest } from './layers.ts'

const zones = /^(core|server|client|web|console|simulator)\/.*\.tsx?$/

const never: Readonly<Record<string, RegExp>> = {
  'runs text as code': /(?<![\w.])eval\(|new Function\(|from 'node:vm'/,
  'writes text as HTML': /\b(?:innerHTML|outerHTML|insertAdjacentHTML|dangerouslySetInnerHTML|createContextualFragment)\b|document\.write/,
  'starts a shell': /\bexecSync\b|import \{[^}]*\bexec\b[^}]*\} from 'node:child_process'|shell: true/,
}

/** Files that start other programs. */
const starters: ReadonlySet<string> = new Set([
  ...['server/store/embedded.ts', 'server/main/settings.ts', 'server/main/supervisor.ts', 'server/papers/images.ts'],
  'server/low-process.ts',
  'simulator/chains/anvil.ts',
])

/** One sentence for each use of a dangerous function. */
export function dangerFaults(): readonly string[] {
  return files(zones)
    .filter((path) => !isTest(path))
    .flatMap((path) => dangersOf(path, text(path)))
}

export function dangersOf(path: string, source: string): readonly string[] {
  const found = Object.entries(never).flatMap(([what, pattern]) => (pattern.test(source) ? [`${path} ${what}`] : []))
  const starts = source.includes("from 'node:child_process'") && !starters.has(path)
  return starts ? [...found, `${path} starts another program and is not among the files that may`] : found
}

/** Words that give the core access to a clock, chance, disk or network. */
const impure =
  /\b(Date\b(?!\w)|Math\.random|Intl\.|setTimeout|setInterval|queueMicrotask|process\.|require\(|fetch\(|performance\.|globalThis|crypto\.)/

/** One sentence for each line of the core that could make two runs differ. */
export function purityFaults(): readonly string[] {
  return files(/^core\/.*\.ts$/)
    .filter((path) => !isTest(path))
    .flatMap((path) => {
      const lines = text(path)
        .replace(/\/\*[\s\S]*?\*\//g, (comment) => comment.replace(/[^\n]/g, ''))
        .split('\n')
      return lines.flatMap((line, index) => {
        const code = line.replace(/\/\/.*$/, '').replace(/'[^']*'|"[^"]*"/g, "''")
        const faults: string[] = []
        if (impure.test(code)) faults.push(`${path}:${index + 1} depends on the outside world: ${line.trim()}`)
        const specifier = /from\s+['"]([^'"]+)['"]/.exec(line)?.[1]
        if (specifier !== undefined && !specifier.startsWith('.')) faults.push(`${path}:${index + 1} imports the package ${specifier}`)
        return faults
      })
    })
}
