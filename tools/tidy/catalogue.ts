/** Checks that the refusal catalogue, its page in the docs and its translations name exactly the same refusals. */
import { locales } from '@candor/core/protocol/locales.ts'
import { refusals } from '@candor/core/protocol/refusal.ts'
import { files, text } from './files.ts'

export const page = 'docs/refusals.md'

export function catalogueFaults(): readonly string[] {
  const names = Object.keys(refusals)
  const ids = Object.values(refusals).map((refusal) => refusal.id as number)
  const faults = ids.filter((id, index) => ids.indexOf(id) !== index).map((id) => `two refusals have the number ${id}`)
  if (text(page) !== printed()) faults.push(`${page} differs from the catalogue: run node tools/tidy/print.ts`)
  for (const { code } of locales) {
    const path = `web/locales/${code}/refusals.json`
    if (files(/^web\/locales\/.*refusals\.json$/).includes(path)) {
      const translated = Object.keys(JSON.parse(text(path)) as Record<string, string>)
      faults.push(...names.filter((name) => !translated.includes(name)).map((name) => `${path} lacks ${name}`))
      faults.push(...translated.filter((name) => !names.includes(name)).map((name) => `${path} has the unknown ${name}`))
    } else faults.push(`${path} is missing`)
  }
  return faults
}

/** The expected text of the page. */
export function printed(): string {
  const rows = Object.entries(refusals).map(([name, { http, api }]) => `| \`${name}\` | ${http} | ${api} |`)
  return [
    '# Refusals',
    '',
    'Every reason for which the exchange refuses a request, in order of precedence: if two apply, the first is given.',
    '`code` is the name in errors of `/app/v1`; the last column is the code in the API for programs.',
    '',
    '| code | HTTP | API |',
    '|---|---|---|',
    ...rows,
    '',
  ].join('\n')
}
