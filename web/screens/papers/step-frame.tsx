import type { WirePapers } from '@candor/core/protocol/wire/papers.ts'
import { CircleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import { useTranslation } from '../../app/translate.ts'
import { StepPage } from '../../parts/papers/step-page.tsx'
import { isDone, type Step, stepsOf } from './steps.ts'
import { stepText } from './words.ts'

/** A step of the check. */
export function StepFrame({
  papers,
  step,
  ...rest
}: {
  readonly papers: WirePapers
  readonly step: Step
  readonly takesFocus: boolean
  readonly children: ReactNode
  readonly footer: ReactNode
}) {
  const { t } = useTranslation()
  const steps = stepsOf(papers.kind)
  const done = steps.map((one) => isDone(papers, one))
  return <StepPage at={steps.indexOf(step)} done={done} title={stepText(step, papers.kind, t)} {...rest} />
}

/** Why a part was turned down, at that part. */
export function FaultNote({ id, children }: { readonly id?: string; readonly children: ReactNode }) {
  return (
    <p id={id} className="flex gap-2 rounded-control bg-dangertint px-3 py-2.5 text-13 text-danger">
      <CircleAlert size={18} strokeWidth={1.75} aria-hidden className="shrink-0" />
      <span className="min-w-0">{children}</span>
    </p>
  )
}
