import type { Evidence } from '@candor/core/proof/evidence.ts'

/** Evidence as a file that anybody can check with the verifier. */
export function evidenceFile(evidence: Evidence): File {
  const name = `candor-evidence-${evidence.remembered?.head.n ?? 0}-${evidence.shown.head?.n ?? 0}.json`
  return new File([`${JSON.stringify(evidence, undefined, 1)}\n`], name, { type: 'application/json' })
}
