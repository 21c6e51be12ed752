/**
 * What a first load of each tab weighs, from the built app (`web/dist`): the entry, the language, the screen, and all
 * that they import before they run, gzip at level 9. Fails above the budget of `docs/decisions/0006`.
 */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { root } from '../tidy/files.ts'

const budget = { scripts: 125_000, styles: 10_000, font: 26_000, chart: 65_000 }
const tabs = ['/', '/market', '/spot', '/property', '/me'] as const

const dist = join(root, 'web', 'dist')
if (!existsSync(join(dist, 'index.html'))) {
  process.stderr.write('The app is not built: node tools/build-web.ts\n')
  process.exit(1)
}
const page = readFileSync(join(dist, 'index.html'), 'utf8')
const entry = /<script type="module"[^>]* src="\/([^"]+)"/.exec(page)?.[1]
const modules = JSON.parse(/const modules = (\{[^}]*\})/.exec(page)?.[1] ?? '{}') as Readonly<Record<string, string>>
if (entry === undefined) throw new Error('index.html has no entry')

const langs = Object.keys(modules).filter((name) => !name.startsWith('/'))
const rows = tabs.map((tab) => {
  const weights = langs.map((lang) => ({ lang, ...weightOf([entry, modules[tab], modules[lang]]) }))
  const heaviest = weights.reduce((a, b) => (b.bytes > a.bytes ? b : a))
  return { tab, files: heaviest.files, bytes: heaviest.bytes, lang: heaviest.lang }
})
const styles = gzipSync((/<style>([\s\S]*?)<\/style>/.exec(page)?.[1] ?? '').trim(), { level: 9 }).length
const font = readFileSync(join(dist, /assets\/inter-[^"]+\.woff2/.exec(page)?.[0] ?? '')).length
const chart = readdirSync(join(dist, 'assets'))
  .filter((name) => /^chart-.*\.js$/.test(name))
  .reduce((sum, name) => Math.max(sum, gzipSync(readFileSync(join(dist, 'assets', name)), { level: 9 }).length), 0)
const isOver = rows.some(({ bytes }) => bytes > budget.scripts) || styles > budget.styles || font > budget.font || chart > budget.chart

if (process.argv.includes('--json')) process.stdout.write(`${JSON.stringify({ tabs: rows, styles, font, chart, budget, isOver })}\n`)
else {
  process.stdout.write(`First load, kB gz (budget ${budget.scripts / 1000} of scripts)\n`)
  for (const { tab, files, bytes, lang } of rows) {
    process.stdout.write(`  ${tab.padEnd(11)}${kB(bytes)}  ${files} files, heaviest language ${lang}\n`)
  }
  process.stdout.write(
    `  styles     ${kB(styles)}  of ${budget.styles / 1000}, inline\n  font       ${kB(font)}  of ${budget.font / 1000}\n  chart      ${kB(chart)}  of ${budget.chart / 1000}, with the first chart\n`,
  )
}
process.exit(isOver ? 1 : 0)

/** The files, what they import at once, and so on; each counted once. */
function weightOf(first: readonly (string | undefined)[]): { readonly files: number; readonly bytes: number } {
  const seen = new Set<string>()
  const visit = (name: string): number => {
    if (seen.has(name)) return 0
    seen.add(name)
    const code = readFileSync(join(dist, name))
    const imported = [...code.toString().matchAll(/(?:^|[;\n}])import(?:[^"'()]*?from)?\s*["']\.\/([\w.-]+\.js)["']/g)].map(
      (match) => `assets/${match[1]}`,
    )
    return gzipSync(code, { level: 9 }).length + imported.reduce((sum, other) => sum + visit(other), 0)
  }
  const bytes = first.reduce((sum, name) => sum + (name === undefined ? 0 : visit(name.replace(/^\//, ''))), 0)
  return { files: seen.size, bytes }
}

function kB(bytes: number): string {
  return (bytes / 1000).toFixed(1).padStart(6)
}
