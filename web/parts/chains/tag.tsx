import type { Tone } from './words.ts'

const tones: Readonly<Record<Tone, string>> = {
  good: 'bg-brandtint text-brand',
  waits: 'bg-warntint text-fg',
  bad: 'bg-dangertint text-danger',
}

/** The state of a deposit or withdrawal. */
export function Tag({ tone, children }: { readonly tone: Tone; readonly children: string }) {
  return <span className={`tn rounded-chip px-2 py-0.5 text-12 font-medium ${tones[tone]}`}>{children}</span>
}
