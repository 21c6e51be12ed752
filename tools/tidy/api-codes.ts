/** The table of general codes in `docs/api.md` is printed from the texts that the API's description shows. */
import { codeTexts, generalCodes } from '@candor/server/programs/describe/codes.ts'
import { text } from './files.ts'
import { staleFaults, withPart } from './printed.ts'

export const page = 'docs/api.md'

export function apiCodeFaults(): readonly string[] {
  return staleFaults(page, printed())
}

/** The expected text of the page. */
export function printed(): string {
  const rows = generalCodes.map(([code, ...statuses]) => `| ${code} | ${statuses.join(', ')} | ${codeTexts[code]} |`)
  return withPart(text(page), 'codes', ['| code | HTTP | when |', '|---|---|---|', ...rows].join('\n'))
}
